package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Says at start which settings can be followed, and are most likely not what was meant. */
final class SettingsWarnings implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(SettingsWarnings.class);

    /** Longer than nearly all pauses of a process that lives. */
    private static final Duration LONG_LIVENESS = Duration.ofMinutes(1);

    private final EngineSettings settings;
    private final @Nullable Duration shutdownPhase;

    /** @param shutdownPhase how long the application waits for the engine's stop; {@code null}: unknown */
    SettingsWarnings(EngineSettings settings, @Nullable Duration shutdownPhase) {
        this.settings = settings;
        this.shutdownPhase = shutdownPhase;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (settings.cluster().liveness().compareTo(LONG_LIVENESS) > 0) {
            log.warn(
                    "delayjob.liveness is {}: for so long nothing repeats what an instance ran when it died. It need"
                            + " not cover how long handlers take, for heartbeats come from the instance and not from its"
                            + " attempts: bound those by delayjob.timeout or @DelayedJob(timeout = …), and set"
                            + " delayjob.liveness to what a living instance may be silent, such as 10s.",
                    settings.cluster().liveness());
        }
        if (shutdownPhase != null && settings.instance().stopAwait().compareTo(shutdownPhase) >= 0) {
            log.warn(
                    "delayjob.shutdown.await is {}, but spring.lifecycle.timeout-per-shutdown-phase is {}: the"
                            + " application stops waiting before handlers are interrupted, and closes the database under"
                            + " them. Keep the former below the latter.",
                    settings.instance().stopAwait(),
                    shutdownPhase);
        }
    }
}
