package io.delayjob.proofs.chaos;

import io.delayjob.handler.Handler;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.util.Map;

/** The settings of a cluster's engines, and the jobs that suit these settings. */
enum Profile {
    DEFAULTS {
        @Override
        EngineSettings.Builder settings(String incarnation) {
            return EngineSettings.defaults(incarnation).toBuilder();
        }
    },
    /** Silent instances are noticed in a fraction of the usual time. This costs more statements. */
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
                    .queues(Map.of(Handler.DEFAULT_QUEUE, new QueueSettings(SLOTS, true)))
                    .stopAwait(Duration.ofSeconds(5));
        }
    },
    /** The settings of {@link #FAST}, for jobs with limits. A second queue has a rate. */
    LIMITS {
        @Override
        EngineSettings.Builder settings(String incarnation) {
            return FAST.settings(incarnation).queues(Limits.queues(SLOTS));
        }

        @Override
        Mix mix() {
            return Mix.LIMITS;
        }
    },
    /**
     * At least half an hour passes between two reads of rows. A round is shorter than this time. So a job runs only if
     * its row is passed to the engine after the commit.
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

    private static final int SLOTS = 32;

    /** No job reaches these limits. So if a job is FAILED, the engine has a bug. */
    private static final RetryPolicy RETRIES = RetryPolicy.defaults()
            .maxRetries(1_000)
            .delay(Duration.ofMillis(200))
            .maxDelay(Duration.ofSeconds(1));

    abstract EngineSettings.Builder settings(String incarnation);

    Mix mix() {
        return Mix.GENERAL;
    }

    /** The history keeps every attempt and every ended job for the checks. */
    EngineSettings of(String incarnation) {
        Duration forLong = Duration.ofDays(1);
        return settings(incarnation)
                .retry(RETRIES)
                .attempts(AttemptLog.ALL)
                .history(new HistorySettings(forLong, forLong, forLong, forLong))
                .build();
    }

    Duration connectionTimeout() {
        return isFast() ? Duration.ofMillis(500) : Duration.ofSeconds(30);
    }

    Duration statementTimeout() {
        return isFast() ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
    }

    /** This timeout is longer than a lease, so that an answer may come after the end of the lease. */
    int socketTimeoutSeconds() {
        return isFast() ? 3 : 12;
    }

    private boolean isFast() {
        return this == FAST || this == LIMITS;
    }

    Duration liveness() {
        return of("any#1").cluster().liveness();
    }

    Duration lease() {
        return of("any#1").cluster().leaseDuration();
    }
}
