package io.delayjob.settings;

import io.delayjob.schedule.RetryPolicy;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All settings of an engine; immutable. Most applications need {@link #defaults(String)} and a few changes:
 *
 * <pre>{@code
 * EngineSettings settings = EngineSettings.defaults("shop-1#" + UUID.randomUUID()).toBuilder()
 *         .queues(Map.of("mail", new QueueSettings(4, true)))
 *         .timeout(Duration.ofMinutes(5))
 *         .build();
 * }</pre>
 *
 * Each group of settings checks its values. The message of an exception contains the property, its value and the rule.
 */
public record EngineSettings(
        InstanceSettings instance,
        QueuesSettings queues,
        ClusterSettings cluster,
        PreloadSettings preload,
        SweepSettings sweep,
        AttemptSettings attempts,
        HistorySettings history) {

    /** Returns the name of this instance; each start of a process has a different name. */
    public String incarnation() {
        return instance.incarnation();
    }

    /** Tells whether this instance runs handlers. If not, this instance only schedules jobs. */
    public boolean worker() {
        return instance.worker();
    }

    /** Returns the settings of this queue. If the queue is not configured, returns the default settings. */
    public QueueSettings queue(String name) {
        return queues.named().getOrDefault(name, QueueSettings.DEFAULT);
    }

    /** Returns the default settings. */
    public static EngineSettings defaults(String incarnation) {
        return new Builder(incarnation).build();
    }

    /** Returns a builder that starts with these settings. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds settings. A builder is not thread-safe. */
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
                new HistorySettings(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(7));
        private AttemptLog attempts = AttemptLog.FAILURES;
        private int payloadMaxSize = 65_536;
        private Duration unreadablePayloadAfter = Duration.ofDays(1);
        private Duration stopAwait = Duration.ofSeconds(25);

        private Builder(String incarnation) {
            this.incarnation = Objects.requireNonNull(incarnation);
        }

        private Builder(EngineSettings settings) {
            incarnation = settings.instance.incarnation();
            worker = settings.instance.worker();
            stopAwait = settings.instance.stopAwait();
            queues = settings.queues.named();
            maxQueues = settings.queues.max();
            partitions = settings.queues.partitions();
            leaseDuration = settings.cluster.leaseDuration();
            liveness = settings.cluster.liveness();
            heartbeat = settings.cluster.heartbeat();
            wheelTick = settings.preload.wheelTick();
            maxJobs = settings.preload.maxJobs();
            window = settings.preload.window();
            batchSize = settings.preload.batchSize();
            claimLead = settings.preload.claimLead();
            sweepInterval = settings.sweep.interval();
            sweepGrace = settings.sweep.grace();
            adoptAfter = settings.sweep.adoptAfter();
            retry = settings.attempts.retry();
            timeout = settings.attempts.timeout();
            maxSnooze = settings.attempts.maxSnooze();
            interruptGrace = settings.attempts.interruptGrace();
            attempts = settings.attempts.log();
            payloadMaxSize = settings.attempts.payloadMaxSize();
            unreadablePayloadAfter = settings.attempts.unreadablePayloadAfter();
            history = settings.history;
        }

        /** See {@link InstanceSettings#incarnation}. */
        public Builder incarnation(String incarnation) {
            this.incarnation = incarnation;
            return this;
        }

        /** See {@link InstanceSettings#worker}. */
        public Builder worker(boolean worker) {
            this.worker = worker;
            return this;
        }

        /** See {@link QueuesSettings#named}. */
        public Builder queues(Map<String, QueueSettings> queues) {
            this.queues = queues;
            return this;
        }

        /** See {@link QueuesSettings#max}. */
        public Builder maxQueues(int maxQueues) {
            this.maxQueues = maxQueues;
            return this;
        }

        /** See {@link QueuesSettings#partitions}. */
        public Builder partitions(int partitions) {
            this.partitions = partitions;
            return this;
        }

        /** See {@link ClusterSettings#leaseDuration}. */
        public Builder leaseDuration(Duration leaseDuration) {
            this.leaseDuration = leaseDuration;
            return this;
        }

        /** See {@link ClusterSettings#liveness}. */
        public Builder liveness(Duration liveness) {
            this.liveness = liveness;
            return this;
        }

        /** See {@link ClusterSettings#heartbeat}. */
        public Builder heartbeat(Duration heartbeat) {
            this.heartbeat = heartbeat;
            return this;
        }

        /** See {@link PreloadSettings#wheelTick}. */
        public Builder wheelTick(Duration wheelTick) {
            this.wheelTick = wheelTick;
            return this;
        }

        /** See {@link PreloadSettings#maxJobs}. */
        public Builder maxJobs(int maxJobs) {
            this.maxJobs = maxJobs;
            return this;
        }

        /** See {@link PreloadSettings#window}. */
        public Builder window(Duration window) {
            this.window = window;
            return this;
        }

        /** See {@link PreloadSettings#batchSize}. */
        public Builder batchSize(int batchSize) {
            this.batchSize = batchSize;
            return this;
        }

        /** See {@link SweepSettings#interval}. */
        public Builder sweepInterval(Duration sweepInterval) {
            this.sweepInterval = sweepInterval;
            return this;
        }

        /** See {@link SweepSettings#grace}. */
        public Builder sweepGrace(Duration sweepGrace) {
            this.sweepGrace = sweepGrace;
            return this;
        }

        /** See {@link SweepSettings#adoptAfter}. */
        public Builder adoptAfter(Duration adoptAfter) {
            this.adoptAfter = adoptAfter;
            return this;
        }

        /** See {@link PreloadSettings#claimLead}. */
        public Builder claimLead(Duration claimLead) {
            this.claimLead = claimLead;
            return this;
        }

        /** See {@link AttemptSettings#retry}. */
        public Builder retry(RetryPolicy retry) {
            this.retry = retry;
            return this;
        }

        /** See {@link AttemptSettings#timeout}. */
        public Builder timeout(@Nullable Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** See {@link AttemptSettings#maxSnooze}. */
        public Builder maxSnooze(Duration maxSnooze) {
            this.maxSnooze = maxSnooze;
            return this;
        }

        /** See {@link AttemptSettings#interruptGrace}. */
        public Builder interruptGrace(Duration interruptGrace) {
            this.interruptGrace = interruptGrace;
            return this;
        }

        /** See {@link HistorySettings}. */
        public Builder history(HistorySettings history) {
            this.history = history;
            return this;
        }

        /** See {@link AttemptSettings#log}. */
        public Builder attempts(AttemptLog attempts) {
            this.attempts = attempts;
            return this;
        }

        /** See {@link AttemptSettings#payloadMaxSize}. */
        public Builder payloadMaxSize(int payloadMaxSize) {
            this.payloadMaxSize = payloadMaxSize;
            return this;
        }

        /** See {@link AttemptSettings#unreadablePayloadAfter}. */
        public Builder unreadablePayloadAfter(Duration unreadablePayloadAfter) {
            this.unreadablePayloadAfter = unreadablePayloadAfter;
            return this;
        }

        /** See {@link InstanceSettings#stopAwait}. */
        public Builder stopAwait(Duration stopAwait) {
            this.stopAwait = stopAwait;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @throws IllegalArgumentException if a setting breaks its rule; the message contains the property
         */
        public EngineSettings build() {
            return new EngineSettings(
                    new InstanceSettings(incarnation, worker, stopAwait),
                    new QueuesSettings(queues, maxQueues, partitions),
                    new ClusterSettings(leaseDuration, liveness, heartbeat),
                    new PreloadSettings(wheelTick, maxJobs, window, batchSize, claimLead),
                    new SweepSettings(sweepInterval, sweepGrace, adoptAfter),
                    new AttemptSettings(
                            retry,
                            timeout,
                            maxSnooze,
                            interruptGrace,
                            attempts,
                            payloadMaxSize,
                            unreadablePayloadAfter),
                    history);
        }
    }
}
