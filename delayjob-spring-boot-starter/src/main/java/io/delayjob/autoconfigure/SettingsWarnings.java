package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns at start about settings that are valid but most likely not intended. */
final class SettingsWarnings implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(SettingsWarnings.class);

    /** Longest liveness without a warning. Almost no living process pauses for longer. */
    private static final Duration LONG_LIVENESS = Duration.ofMinutes(1);

    private final EngineSettings settings;
    private final @Nullable Duration shutdownPhase;

    /** @param shutdownPhase time that the application waits for the engine's stop; {@code null} if unknown */
    SettingsWarnings(EngineSettings settings, @Nullable Duration shutdownPhase) {
        this.settings = settings;
        this.shutdownPhase = shutdownPhase;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (settings.cluster().liveness().compareTo(LONG_LIVENESS) > 0) {
            log.warn(
                    "delayjob.liveness is {}: jobs of an instance that died are not repeated before that time. It need"
                            + " not cover the run time of handlers, because the instance sends heartbeats, not its"
                            + " attempts. Limit these by delayjob.timeout or @DelayedJob(timeout = …), and set"
                            + " delayjob.liveness to the longest silence of a living instance, such as 10s.",
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
