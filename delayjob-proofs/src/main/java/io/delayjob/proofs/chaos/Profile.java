package io.delayjob.proofs.chaos;

import io.delayjob.handler.Handler;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.util.Map;

/** How the engines of a cluster are set. */
enum Profile {
    /** What everybody gets who sets nothing. */
    DEFAULTS {
        @Override
        EngineSettings.Builder settings(String incarnation) {
            return EngineSettings.defaults(incarnation).toBuilder();
        }
    },
    /** Gives up instances, and takes over, several times as quickly, for several times as many statements when idle. */
    FAST {
        @Override
        EngineSettings.Builder settings(String incarnation) {
            return EngineSettings.defaults(incarnation).toBuilder()
                    .liveness(Duration.ofMillis(1_500))
                    .heartbeat(Duration.ofMillis(300))
                    .leaseDuration(Duration.ofMillis(1_500))
                    .window(Duration.ofSeconds(1))
                    .sweepInterval(Duration.ofMillis(300))
                    .sweepGrace(Duration.ofMillis(100))
                    .adoptAfter(Duration.ofSeconds(1))
                    .queues(Map.of(Handler.DEFAULT_QUEUE, new QueueSettings(32, true)))
                    .stopAwait(Duration.ofSeconds(5));
        }
    },
    /**
     * Reads nothing ahead: what is not handed over after its commit is not found, nor what was forgotten since. So
     * nothing gives an instance up, however busy the machine is.
     */
    HAND_OVER_ONLY {
        @Override
        EngineSettings.Builder settings(String incarnation) {
            Duration never = Duration.ofHours(1);
            return DEFAULTS.settings(incarnation)
                    .liveness(Duration.ofMinutes(1))
                    .window(never)
                    .sweepInterval(never)
                    .adoptAfter(never);
        }
    };

    /** So many losses and failures as no job of a run meets: one that ends as FAILED is one that was lost. */
    private static final RetryPolicy RETRIES = RetryPolicy.defaults()
            .maxRetries(1_000)
            .delay(Duration.ofMillis(200))
            .maxDelay(Duration.ofSeconds(1));

    abstract EngineSettings.Builder settings(String incarnation);

    /** The settings of an instance, every attempt and end of which is kept for the checks. */
    EngineSettings of(String incarnation) {
        Duration forLong = Duration.ofDays(1);
        return settings(incarnation)
                .retry(RETRIES)
                .attempts(AttemptLog.ALL)
                .history(new HistorySettings(forLong, forLong, forLong))
                .build();
    }

    /** How long the pool is asked for a connection. */
    Duration connectionTimeout() {
        return this == FAST ? Duration.ofMillis(500) : Duration.ofSeconds(30);
    }

    /** How long a statement may take. */
    Duration statementTimeout() {
        return this == FAST ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
    }

    /**
     * How long a driver waits for an answer, in seconds: longer than a lease, so that an answer may come after its end.
     */
    int socketTimeoutSeconds() {
        return this == FAST ? 3 : 12;
    }

    Duration liveness() {
        return of("any#1").cluster().liveness();
    }

    Duration lease() {
        return of("any#1").cluster().leaseDuration();
    }
}
