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
 * The properties of delayjob.
 *
 * @param enabled Whether delayjob is auto-configured. If delayjob is disabled, no job can be scheduled. To schedule
 *     jobs but run no handlers, set worker.enabled=false instead.
 * @param store Store of the jobs: "jdbc", "redis", "memory" or the name of another store on the class path. With
 *     "jdbc", the jobs are in the application's database. With "redis", they are in Redis or Valkey. With "memory",
 *     they are in the memory of the application, until the application ends. A JobStore bean replaces this store.
 * @param instanceId Name of this instance in the register and in logs. Default: host name and process id.
 * @param worker Settings of the worker, which runs handlers on this instance.
 * @param queues Settings of single queues, by name.
 * @param maxQueues Maximum number of queues from which one instance runs jobs. Once this number is reached, a call that
 *     names a new queue is refused.
 * @param partitions Number of partitions of each queue, from 1 to 1024. Only one instance at a time preloads the jobs
 *     of a partition.
 * @param lease Leadership of partitions.
 * @param liveness If an instance sends no heartbeat for this time, its attempts count as lost.
 * @param heartbeat Pause between two heartbeats; at most a third of delayjob.liveness.
 * @param wheel The timing wheel.
 * @param preload Settings for reading jobs shortly before they are due.
 * @param sweep Settings for finding jobs that are overdue.
 * @param claimLead How early a job may be claimed before it is due, from 0 to 1s. An early claim lets the job start on
 *     time. A claimed job can no longer be cancelled. If this time is 0, jobs are claimed only when they are due.
 * @param retry Retry policy of handlers that state none.
 * @param timeout How long an attempt may take before it is interrupted, for handlers that state no timeout. Default: no
 *     limit.
 * @param maxSnooze Maximum time by which snoozes may postpone a run beyond its planned time. This maximum applies to
 *     handlers that state none. A longer snooze counts as a failure.
 * @param interruptGrace How long an attempt may take to end after its timeout. After this time, the attempt counts as
 *     failed, and delayjob no longer waits for it.
 * @param history How long jobs are kept after they have ended.
 * @param statistics The statistics of each minute.
 * @param attempts The log of attempts.
 * @param payload The stored arguments of jobs.
 * @param unreadablePayloadAfter If this instance cannot read the payload of a job, other instances get this time to run
 *     the job. The time begins when the job is due. After this time, this instance lets the job fail.
 * @param shutdown How the engine stops when the application stops.
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
        @DefaultValue Statistics statistics,
        @DefaultValue Attempts attempts,
        @DefaultValue Payload payload,
        @DefaultValue("1d") Duration unreadablePayloadAfter,
        @DefaultValue Shutdown shutdown) {

    /**
     * Settings of the worker, which runs handlers on this instance.
     *
     * @param enabled Whether this instance runs handlers; otherwise it only schedules.
     */
    public record Worker(@DefaultValue("true") boolean enabled) {}

    /**
     * Settings of one queue.
     *
     * @param concurrency Maximum number of attempts at a time on this instance.
     * @param enabled Whether this instance runs jobs of the queue.
     * @param rate How many attempts may start in a period, on all instances together. Examples: 100/s, 30/min, 5000/h,
     *     10/d. Default: no limit.
     * @param burst How many attempts may start together after an idle time. These attempts are in addition to those
     *     that the rate allows. Default: as many attempts as the rate allows in 100 ms, but at least 1.
     */
    public record Queue(
            @DefaultValue("16") int concurrency,
            @DefaultValue("true") boolean enabled,
            @Nullable String rate,
            @Nullable Integer burst) {}

    /**
     * Leadership of partitions.
     *
     * @param duration How long the lease of a partition lasts without renewal. After a crash of its leader, a partition
     *     may have no leader for this duration.
     * @param provider Source of leases: "jdbc" for the job tables' own database, "redis" for the Redis of the jobs,
     *     "bean" for the application's only LockProvider bean. Any other value is the name of a LockProvider bean. If
     *     delayjob.store is "redis", the default is "redis".
     */
    public record Lease(
            @DefaultValue("10s") Duration duration,
            @DefaultValue("jdbc") String provider) {}

    /**
     * The timing wheel.
     *
     * @param tick Resolution of the wheel. Its number of nanoseconds is rounded down to a power of two.
     * @param maxJobs Maximum number of jobs kept in memory.
     */
    public record Wheel(
            @DefaultValue("8192ns") Duration tick,
            @DefaultValue("1000000") int maxJobs) {}

    /**
     * Settings for reading jobs shortly before they are due.
     *
     * @param window How far ahead jobs are read into memory.
     * @param batchSize Maximum number of rows that are read, claimed or written together, from 1 to 5000.
     */
    public record Preload(
            @DefaultValue("10s") Duration window,
            @DefaultValue("500") int batchSize) {}

    /**
     * Settings for finding jobs that are overdue.
     *
     * @param interval Pause between two sweeps for overdue jobs.
     * @param grace How long a job must be overdue before a sweep takes it.
     * @param adoptAfter How long a job must be overdue before any instance may take it. Before that, only the leader
     *     may take the job.
     */
    public record Sweep(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("200ms") Duration grace,
            @DefaultValue("5s") Duration adoptAfter) {}

    /**
     * Retry policy of handlers that state none.
     *
     * @param maxRetries Maximum number of retries after the first attempt.
     * @param delay Delay before the first retry.
     * @param multiplier Factor from one delay to the next, at least 1.
     * @param maxDelay Maximum delay before a retry, without the jitter.
     * @param jitter Maximum random time that is added to each delay.
     */
    public record Retry(
            @DefaultValue("16") int maxRetries,
            @DefaultValue("10s") Duration delay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("1h") Duration maxDelay,
            @DefaultValue("0") Duration jitter) {}

    /**
     * How long jobs are kept after they have ended.
     *
     * @param finished How long finished jobs are kept. If it is zero, no finished jobs are kept.
     * @param cancelled How long cancelled jobs are kept.
     * @param failed How long failed jobs are kept and can be retried.
     */
    public record History(
            @DefaultValue("7d") Duration finished,
            @DefaultValue("7d") Duration cancelled,
            @DefaultValue("30d") Duration failed) {}

    /**
     * The statistics of each minute.
     *
     * @param retention How long the statistics of each minute are kept. If it is zero, no statistics are kept.
     */
    public record Statistics(@DefaultValue("7d") Duration retention) {}

    /**
     * The log of attempts.
     *
     * @param mode Which attempts are logged. If a job continues after a failed or skipped run, this run is always
     *     logged.
     */
    public record Attempts(@DefaultValue("failures") AttemptLog mode) {}

    /**
     * The stored arguments of jobs.
     *
     * @param maxSize Maximum length of a payload that may be scheduled, in characters of JSON.
     * @param maxReadSize Maximum length of a stored payload that delayjob reads. A longer payload counts as unreadable.
     *     Default: sixteen bytes for each character of max-size, and at least 1MB.
     */
    public record Payload(
            @DefaultValue("65536") int maxSize, @Nullable DataSize maxReadSize) {

        private static final long BYTES_PER_CHARACTER = 16;

        /** Returns the maximum length of a stored payload that delayjob reads, in bytes. */
        public long maxReadBytes() {
            return maxReadSize == null
                    ? Math.max(OversizePayload.DEFAULT_LIMIT, maxSize * BYTES_PER_CHARACTER)
                    : maxReadSize.toBytes();
        }
    }

    /**
     * How the engine stops when the application stops.
     *
     * @param await How long handlers may take to end; keep it below spring.lifecycle.timeout-per-shutdown-phase.
     */
    public record Shutdown(@DefaultValue("25s") Duration await) {}
}
