package io.delayjob;

import io.delayjob.complete.AttemptLog;
import io.delayjob.handler.Handler;
import io.delayjob.job.Partition;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that an engine can be told; immutable. {@link #defaults(String)} is what most want; change it with
 * {@link #toBuilder()}.
 *
 * @param incarnation this instance's name, unique to this start of this process
 * @param worker whether this instance runs handlers; otherwise it only schedules
 * @param queues concurrency and switch per queue; a queue that handlers name and this does not gets
 *     {@link QueueSettings#DEFAULT}
 * @param maxQueues maximum number of queues that one instance works, declared ones and those that calls name
 * @param partitions partitions of each queue, 1 to {@value io.delayjob.job.Partition#MAX_PER_QUEUE}
 * @param leaseDuration how long a partition's lease lasts without renewal
 * @param liveness how long an instance may be silent before its attempts are given up for lost
 * @param heartbeat pause between two heartbeats
 * @param wheelTick resolution of the wheel
 * @param maxJobs most jobs kept in memory
 * @param window how far ahead due rows are read
 * @param batchSize most rows of one read, claim or write
 * @param sweepInterval pause between two sweeps for overdue rows
 * @param sweepGrace how long a row is overdue before the sweep takes it
 * @param adoptAfter how long a row is overdue before any instance may take it
 * @param claimLead how long before its due time a job is claimed at the most, so that it starts when that comes; as
 *     long as claims are measured to take, and up to 5 ms more. {@link Duration#ZERO}: claimed when it is due
 * @param retry the policy of handlers that state none
 * @param timeout the time-out of handlers that state none; {@code null}: none
 * @param maxSnooze for how long after its planned time a run may be put off by {@link io.delayjob.handler.Next#snooze},
 *     of handlers that state nothing about it
 * @param interruptGrace how long an interrupted attempt may take to end before it is written off
 * @param history how long ended jobs are kept
 * @param attempts which attempts are logged
 * @param payloadMaxSize longest payload, in characters
 * @param unreadablePayloadAfter how long a payload that cannot be read here is left to other instances
 * @param stopAwait how long handlers may take to end when the engine stops
 */
public record EngineSettings(
        String incarnation,
        boolean worker,
        Map<String, QueueSettings> queues,
        int maxQueues,
        int partitions,
        Duration leaseDuration,
        Duration liveness,
        Duration heartbeat,
        Duration wheelTick,
        int maxJobs,
        Duration window,
        int batchSize,
        Duration sweepInterval,
        Duration sweepGrace,
        Duration adoptAfter,
        Duration claimLead,
        RetryPolicy retry,
        @Nullable Duration timeout,
        Duration maxSnooze,
        Duration interruptGrace,
        HistorySettings history,
        AttemptLog attempts,
        int payloadMaxSize,
        Duration unreadablePayloadAfter,
        Duration stopAwait) {

    /** Nobody can cancel a job any more once it is claimed: longer than this is not a lead, but a change of due times. */
    private static final Duration MAX_CLAIM_LEAD = Duration.ofSeconds(1);

    /** What is said about one queue. */
    public record QueueSettings(int concurrency, boolean enabled) {

        /** As many attempts at a time as suit the connection pools of most applications. */
        public static final QueueSettings DEFAULT = new QueueSettings(16, true);

        public QueueSettings {
            if (concurrency < 1) {
                throw new IllegalArgumentException(
                        "Invalid concurrency %d of a queue: must be 1 or more; to switch it off here, set enabled=false."
                                .formatted(concurrency));
            }
        }
    }

    /**
     * How long ended jobs are kept.
     *
     * @param finished finished ones; {@link Duration#ZERO}: they leave no row at all
     * @param cancelled cancelled ones
     * @param failed failed ones, which can be retried as long as they are kept
     */
    public record HistorySettings(Duration finished, Duration cancelled, Duration failed) {

        public HistorySettings {
            if (finished.isNegative() || cancelled.isNegative() || failed.isNegative()) {
                throw new IllegalArgumentException(
                        "Invalid history retention (finished %s, cancelled %s, failed %s): must be zero or more."
                                .formatted(finished, cancelled, failed));
            }
        }
    }

    public EngineSettings {
        queues = Map.copyOf(queues);
        queues.keySet().forEach(Handler::checkQueue);
        check(maxQueues >= 1, "max-queues", maxQueues, "must be 1 or more");
        check(
                partitions >= 1 && partitions <= Partition.MAX_PER_QUEUE,
                "partitions",
                partitions,
                "must be from 1 to " + Partition.MAX_PER_QUEUE);
        checkAtLeast("lease.duration", leaseDuration, Duration.ofMillis(500));
        checkAtLeast("heartbeat", heartbeat, Duration.ofMillis(50));
        check(
                liveness.compareTo(heartbeat.multipliedBy(3)) >= 0,
                "liveness",
                liveness,
                "must be at least three times heartbeat, that is %s".formatted(heartbeat.multipliedBy(3)));
        checkAtLeast("wheel.tick", wheelTick, Duration.ofNanos(1_000));
        check(maxJobs >= 100, "wheel.max-jobs", maxJobs, "must be 100 or more");
        checkAtLeast("preload.window", window, Duration.ofMillis(100));
        check(batchSize >= 1 && batchSize <= 5_000, "preload.batch-size", batchSize, "must be from 1 to 5000");
        checkAtLeast("sweep.interval", sweepInterval, Duration.ofMillis(10));
        checkAtLeast("sweep.grace", sweepGrace, Duration.ZERO);
        check(
                adoptAfter.compareTo(sweepGrace) >= 0,
                "sweep.adopt-after",
                adoptAfter,
                "must be at least sweep.grace, that is %s".formatted(sweepGrace));
        check(
                !claimLead.isNegative() && claimLead.compareTo(MAX_CLAIM_LEAD) <= 0,
                "claim-lead",
                claimLead,
                "must be from PT0S to " + MAX_CLAIM_LEAD);
        checkAtLeast("unreadable-payload-after", unreadablePayloadAfter, Duration.ZERO);
        checkAtLeast("shutdown.await", stopAwait, Duration.ZERO);
        check(payloadMaxSize >= 1, "payload.max-size", payloadMaxSize, "must be 1 or more");
        if (timeout != null) {
            checkAtLeast("timeout", timeout, Duration.ofMillis(1));
        }
        checkAtLeast("max-snooze", maxSnooze, Duration.ZERO);
        checkAtLeast("interrupt-grace", interruptGrace, Duration.ZERO);
    }

    private static void checkAtLeast(String key, Duration value, Duration least) {
        check(value.compareTo(least) >= 0, key, value, "must be %s or more".formatted(least));
    }

    private static void check(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("Invalid delayjob.%s %s: %s.".formatted(key, value, rule));
        }
    }

    /** What is said, or the default, about that queue. */
    public QueueSettings queue(String name) {
        return queues.getOrDefault(name, QueueSettings.DEFAULT);
    }

    /** The defaults. */
    public static EngineSettings defaults(String incarnation) {
        return new Builder(incarnation).build();
    }

    /** A builder that starts with these settings. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Changes settings one by one. Not thread-safe. */
    public static final class Builder {

        private String incarnation;
        private boolean worker = true;
        private Map<String, QueueSettings> queues = Map.of();
        private int maxQueues = 32;
        private int partitions = 8;
        private Duration leaseDuration = Duration.ofSeconds(10);
        private Duration liveness = Duration.ofSeconds(10);
        private Duration heartbeat = Duration.ofSeconds(2);
        private Duration wheelTick = TimingWheel.DEFAULT_TICK;
        private int maxJobs = 1_000_000;
        private Duration window = Duration.ofSeconds(10);
        private int batchSize = 500;
        private Duration sweepInterval = Duration.ofSeconds(1);
        private Duration sweepGrace = Duration.ofMillis(200);
        private Duration adoptAfter = Duration.ofSeconds(5);
        private Duration claimLead = Duration.ofMillis(20);
        private RetryPolicy retry = RetryPolicy.defaults();
        private @Nullable Duration timeout;
        private Duration maxSnooze = Duration.ofDays(1);
        private Duration interruptGrace = Duration.ofSeconds(5);
        private HistorySettings history =
                new HistorySettings(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30));
        private AttemptLog attempts = AttemptLog.FAILURES;
        private int payloadMaxSize = 65_536;
        private Duration unreadablePayloadAfter = Duration.ofDays(1);
        private Duration stopAwait = Duration.ofSeconds(25);

        private Builder(String incarnation) {
            this.incarnation = Objects.requireNonNull(incarnation);
        }

        private Builder(EngineSettings settings) {
            incarnation = settings.incarnation;
            worker = settings.worker;
            queues = settings.queues;
            maxQueues = settings.maxQueues;
            partitions = settings.partitions;
            leaseDuration = settings.leaseDuration;
            liveness = settings.liveness;
            heartbeat = settings.heartbeat;
            wheelTick = settings.wheelTick;
            maxJobs = settings.maxJobs;
            window = settings.window;
            batchSize = settings.batchSize;
            sweepInterval = settings.sweepInterval;
            sweepGrace = settings.sweepGrace;
            adoptAfter = settings.adoptAfter;
            claimLead = settings.claimLead;
            retry = settings.retry;
            timeout = settings.timeout;
            maxSnooze = settings.maxSnooze;
            interruptGrace = settings.interruptGrace;
            history = settings.history;
            attempts = settings.attempts;
            payloadMaxSize = settings.payloadMaxSize;
            unreadablePayloadAfter = settings.unreadablePayloadAfter;
            stopAwait = settings.stopAwait;
        }

        public Builder incarnation(String incarnation) {
            this.incarnation = incarnation;
            return this;
        }

        public Builder worker(boolean worker) {
            this.worker = worker;
            return this;
        }

        public Builder queues(Map<String, QueueSettings> queues) {
            this.queues = queues;
            return this;
        }

        public Builder maxQueues(int maxQueues) {
            this.maxQueues = maxQueues;
            return this;
        }

        public Builder partitions(int partitions) {
            this.partitions = partitions;
            return this;
        }

        public Builder leaseDuration(Duration leaseDuration) {
            this.leaseDuration = leaseDuration;
            return this;
        }

        public Builder liveness(Duration liveness) {
            this.liveness = liveness;
            return this;
        }

        public Builder heartbeat(Duration heartbeat) {
            this.heartbeat = heartbeat;
            return this;
        }

        public Builder wheelTick(Duration wheelTick) {
            this.wheelTick = wheelTick;
            return this;
        }

        public Builder maxJobs(int maxJobs) {
            this.maxJobs = maxJobs;
            return this;
        }

        public Builder window(Duration window) {
            this.window = window;
            return this;
        }

        public Builder batchSize(int batchSize) {
            this.batchSize = batchSize;
            return this;
        }

        public Builder sweepInterval(Duration sweepInterval) {
            this.sweepInterval = sweepInterval;
            return this;
        }

        public Builder sweepGrace(Duration sweepGrace) {
            this.sweepGrace = sweepGrace;
            return this;
        }

        public Builder adoptAfter(Duration adoptAfter) {
            this.adoptAfter = adoptAfter;
            return this;
        }

        public Builder claimLead(Duration claimLead) {
            this.claimLead = claimLead;
            return this;
        }

        public Builder retry(RetryPolicy retry) {
            this.retry = retry;
            return this;
        }

        public Builder timeout(@Nullable Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        public Builder maxSnooze(Duration maxSnooze) {
            this.maxSnooze = maxSnooze;
            return this;
        }

        public Builder interruptGrace(Duration interruptGrace) {
            this.interruptGrace = interruptGrace;
            return this;
        }

        public Builder history(HistorySettings history) {
            this.history = history;
            return this;
        }

        public Builder attempts(AttemptLog attempts) {
            this.attempts = attempts;
            return this;
        }

        public Builder payloadMaxSize(int payloadMaxSize) {
            this.payloadMaxSize = payloadMaxSize;
            return this;
        }

        public Builder unreadablePayloadAfter(Duration unreadablePayloadAfter) {
            this.unreadablePayloadAfter = unreadablePayloadAfter;
            return this;
        }

        public Builder stopAwait(Duration stopAwait) {
            this.stopAwait = stopAwait;
            return this;
        }

        public EngineSettings build() {
            return new EngineSettings(
                    incarnation,
                    worker,
                    queues,
                    maxQueues,
                    partitions,
                    leaseDuration,
                    liveness,
                    heartbeat,
                    wheelTick,
                    maxJobs,
                    window,
                    batchSize,
                    sweepInterval,
                    sweepGrace,
                    adoptAfter,
                    claimLead,
                    retry,
                    timeout,
                    maxSnooze,
                    interruptGrace,
                    history,
                    attempts,
                    payloadMaxSize,
                    unreadablePayloadAfter,
                    stopAwait);
        }
    }
}
