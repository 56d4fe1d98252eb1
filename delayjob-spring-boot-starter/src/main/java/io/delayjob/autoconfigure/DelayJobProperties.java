package io.delayjob.autoconfigure;

import io.delayjob.job.OversizePayload;
import io.delayjob.settings.AttemptLog;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What can be configured of delayjob.
 *
 * @param enabled Whether delayjob is configured at all. Without it nothing can be scheduled; to run no handlers here,
 *     switch off the worker instead.
 * @param store Where jobs are kept: "jdbc" for the application's database, "memory" for none, so that they are lost when
 *     the application ends, or the name of another store on the class path. A JobStore bean takes its place.
 * @param instanceId Name of this instance, part of what it is registered as. Default: host name and process id.
 * @param worker How handlers run here.
 * @param queues What is said about single queues, by name.
 * @param maxQueues Maximum number of queues that one instance works, both declared ones and those that only calls name.
 *     A call that names one more is refused.
 * @param partitions Partitions of each queue, from 1 to 1024. One instance at a time preloads a partition.
 * @param lease Leadership of partitions.
 * @param liveness How long an instance may be silent before its attempts are given up for lost.
 * @param heartbeat Pause between two heartbeats; at most a third of liveness.
 * @param wheel The timing wheel.
 * @param preload Reading jobs shortly before they are due.
 * @param sweep Finding jobs that are overdue.
 * @param claimLead How long before its due time a job is claimed at the most, so that it starts when that comes: as long
 *     as claims are measured to take, and up to 5 ms more. Once claimed it cannot be cancelled. From 0 to 1s; 0: claimed once
 *     due.
 * @param retry Retry policy of handlers that state none.
 * @param timeout How long an attempt may take before it is interrupted, for handlers that state no timeout. Default:
 *     for ever.
 * @param maxSnooze For how long after its planned time a run may be put off by snoozing, for handlers that state
 *     nothing about it. Past it a snooze counts as a failure.
 * @param interruptGrace How long an attempt that was interrupted at its timeout may take to end. Then it is written
 *     off, and its job goes on without it.
 * @param history How long ended jobs are kept.
 * @param attempts The log of attempts.
 * @param payload What is stored with a job.
 * @param unreadablePayloadAfter How long a payload that cannot be read here is left to other instances before its job
 *     fails.
 * @param shutdown Stopping.
 */
@ConfigurationProperties("delayjob")
public record DelayJobProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("jdbc") String store,
        @Nullable String instanceId,
        @DefaultValue Worker worker,
        @DefaultValue Map<String, Queue> queues,
        @DefaultValue("32") int maxQueues,
        @DefaultValue("8") int partitions,
        @DefaultValue Lease lease,
        @DefaultValue("10s") Duration liveness,
        @DefaultValue("2s") Duration heartbeat,
        @DefaultValue Wheel wheel,
        @DefaultValue Preload preload,
        @DefaultValue Sweep sweep,
        @DefaultValue("20ms") Duration claimLead,
        @DefaultValue Retry retry,
        @Nullable Duration timeout,
        @DefaultValue("1d") Duration maxSnooze,
        @DefaultValue("5s") Duration interruptGrace,
        @DefaultValue History history,
        @DefaultValue Attempts attempts,
        @DefaultValue Payload payload,
        @DefaultValue("1d") Duration unreadablePayloadAfter,
        @DefaultValue Shutdown shutdown) {

    /**
     * How handlers run here.
     *
     * @param enabled Whether this instance runs handlers; otherwise it only schedules.
     */
    public record Worker(@DefaultValue("true") boolean enabled) {}

    /**
     * What is said about one queue.
     *
     * @param concurrency Attempts at a time on this instance.
     * @param enabled Whether this instance works the queue.
     */
    public record Queue(
            @DefaultValue("16") int concurrency,
            @DefaultValue("true") boolean enabled) {}

    /**
     * Leadership of partitions.
     *
     * @param duration How long the lease of a partition lasts without renewal: so long a partition may be without a
     *     leader after a crash.
     * @param provider Who grants leases: "jdbc" for the job tables' own database, "bean" for the application's only
     *     LockProvider bean, or the name of one.
     */
    public record Lease(
            @DefaultValue("10s") Duration duration,
            @DefaultValue("jdbc") String provider) {}

    /**
     * The timing wheel.
     *
     * @param tick Resolution of the wheel, rounded down to a power of two nanoseconds.
     * @param maxJobs Most jobs kept in memory.
     */
    public record Wheel(
            @DefaultValue("8192ns") Duration tick,
            @DefaultValue("1000000") int maxJobs) {}

    /**
     * Reading jobs shortly before they are due.
     *
     * @param window How far ahead jobs are read into memory.
     * @param batchSize Most rows of one read, claim or write, from 1 to 5000.
     */
    public record Preload(
            @DefaultValue("10s") Duration window,
            @DefaultValue("500") int batchSize) {}

    /**
     * Finding jobs that are overdue.
     *
     * @param interval Pause between two sweeps for overdue jobs.
     * @param grace How long a job is overdue before the sweep takes it.
     * @param adoptAfter How long a job is overdue before any instance may take it, leader or not.
     */
    public record Sweep(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("200ms") Duration grace,
            @DefaultValue("5s") Duration adoptAfter) {}

    /**
     * Retry policy of handlers that state none.
     *
     * @param maxRetries How many retries follow the first attempt.
     * @param delay Delay before the first retry.
     * @param multiplier By how much each delay is longer than the one before, at least 1.
     * @param maxDelay What no delay exceeds, jitter aside.
     * @param jitter A random time between zero and this is added to each delay.
     */
    public record Retry(
            @DefaultValue("16") int maxRetries,
            @DefaultValue("10s") Duration delay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("1h") Duration maxDelay,
            @DefaultValue("0") Duration jitter) {}

    /**
     * How long ended jobs are kept.
     *
     * @param finished How long finished jobs are kept; zero to keep no trace of them.
     * @param cancelled How long cancelled jobs are kept.
     * @param failed How long failed jobs are kept; so long they can be retried.
     */
    public record History(
            @DefaultValue("7d") Duration finished,
            @DefaultValue("7d") Duration cancelled,
            @DefaultValue("30d") Duration failed) {}

    /**
     * The log of attempts.
     *
     * @param mode Which attempts are logged. Failed and skipped runs of a job that goes on always are.
     */
    public record Attempts(@DefaultValue("failures") AttemptLog mode) {}

    /**
     * What is stored with a job.
     *
     * @param maxSize Maximum length of a payload that may be scheduled, in characters of JSON.
     * @param maxReadSize Maximum length of a stored payload that is read. A longer one, for example from another
     *     application, counts as unreadable. Default: sixteen bytes for each character of max-size, and at least 1MB.
     */
    public record Payload(
            @DefaultValue("65536") int maxSize, @Nullable DataSize maxReadSize) {

        private static final long BYTES_PER_CHARACTER = 16;

        /** Maximum length of a stored payload that is read, in bytes. */
        public long maxReadBytes() {
            return maxReadSize == null
                    ? Math.max(OversizePayload.DEFAULT_LIMIT, maxSize * BYTES_PER_CHARACTER)
                    : maxReadSize.toBytes();
        }
    }

    /**
     * Stopping.
     *
     * @param await How long handlers may take to end when the application stops; keep it below
     *     spring.lifecycle.timeout-per-shutdown-phase.
     */
    public record Shutdown(@DefaultValue("25s") Duration await) {}
}
