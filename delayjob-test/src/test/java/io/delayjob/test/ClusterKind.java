package io.delayjob.test;

import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/** The kinds of simulated clusters. */
enum ClusterKind {
    /** Anything may go wrong. */
    TROUBLED(false),
    /** Nothing goes wrong. */
    CALM(false),
    /** Processes stand still during a write, until about the end of their leases. Nothing else goes wrong. */
    PAUSES(false),
    /** Anything may go wrong, and half of the calls are about jobs with a mutex. */
    MUTEXES(true),
    /** Anything may go wrong, and half of the calls are about jobs of a handler with a limit in the cluster. */
    LIMIT(true),
    /** Anything may go wrong, and half of the calls are about jobs of a handler with a rate. */
    RATE(true),
    /** Anything may go wrong, and half of the calls are about jobs of a handler with a rate for each key. */
    KEY_RATE(true),
    /** Anything may go wrong, and half of the calls are about jobs whose fair keys take turns. */
    TURNS(true),
    /** Anything may go wrong, and half of the calls are about jobs that expire. */
    EXPIRY(true),
    /** Anything may go wrong, ended jobs are kept for seconds, and two handlers state other times. */
    KEEPING(true);

    /** So short that jobs are deleted while faults happen. */
    private static final HistorySettings BRIEF_HISTORY = new HistorySettings(
            Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(12), Duration.ofDays(7));

    private final boolean focused;

    ClusterKind(boolean focused) {
        this.focused = focused;
    }

    /** Tells whether half of the calls are about jobs of one kind. */
    boolean isFocused() {
        return focused;
    }

    /** Returns the default settings or faster settings, with limits that are small enough to be reached. */
    EngineSettings settings(SplittableRandom random) {
        int[] partitions = {1, 2, 4, 8};
        int[] batches = {1, 3, 500};
        EngineSettings.Builder settings = EngineSettings.defaults("settings").toBuilder()
                .partitions(partitions[random.nextInt(partitions.length)])
                .batchSize(batches[random.nextInt(batches.length)])
                .maxJobs(random.nextBoolean() ? 100 : 1_000)
                .queues(Map.of("default", new QueueSettings(this == CALM ? 16 : 3 + random.nextInt(14), true)))
                .interruptGrace(Duration.ofMillis(500))
                .unreadablePayloadAfter(Duration.ofSeconds(15))
                .stopAwait(Duration.ZERO);
        if (random.nextInt(4) > 0) {
            settings.liveness(Duration.ofSeconds(4))
                    .heartbeat(Duration.ofMillis(800))
                    .leaseDuration(Duration.ofSeconds(4))
                    .window(Duration.ofSeconds(4));
        }
        if (this == KEEPING) {
            settings.history(BRIEF_HISTORY);
        }
        return settings.build();
    }
}
