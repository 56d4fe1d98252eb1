package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns at start about settings that are valid but probably not intended. */
final class SettingsWarnings implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(SettingsWarnings.class);

    /** A healthy process almost never pauses for longer than this time. */
    private static final Duration LONG_LIVENESS = Duration.ofMinutes(1);

    private final EngineSettings settings;
    private final @Nullable Duration shutdownPhase;

    /** @param shutdownPhase {@code null} if unknown */
    SettingsWarnings(EngineSettings settings, @Nullable Duration shutdownPhase) {
        this.settings = settings;
        this.shutdownPhase = shutdownPhase;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (settings.cluster().liveness().compareTo(LONG_LIVENESS) > 0) {
            log.warn(
                    "delayjob.liveness is {}, which is long: if an instance dies, other instances repeat its jobs "
                            + "only after this time. Long handlers do not need a long liveness. Set delayjob.liveness "
                            + "to the longest time that a healthy instance may stand still, such as 10s.",
                    settings.cluster().liveness());
        }
        if (shutdownPhase != null && settings.instance().stopAwait().compareTo(shutdownPhase) >= 0) {
            log.warn(
                    "delayjob.shutdown.await is {}, but spring.lifecycle.timeout-per-shutdown-phase is {}, so the "
                            + "application may close the database while handlers still run. Set "
                            + "delayjob.shutdown.await to a shorter time than "
                            + "spring.lifecycle.timeout-per-shutdown-phase.",
                    settings.instance().stopAwait(),
                    shutdownPhase);
        }
    }
}
