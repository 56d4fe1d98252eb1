package io.delayjob.event;

import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.Collection;

/**
 * Told of what the engine does; every method is empty by default. Called on the engine's own threads, so be quick;
 * what a listener throws is logged and otherwise ignored. Thread-safety is the listener's.
 */
public interface JobListener {

    /**
     * Jobs were written (or an existing one kept, replaced or postponed). The caller's transaction may still roll back.
     */
    default void scheduled(String name, int count) {}

    /** Cancelling a job was answered with {@code result}. The caller's transaction may still roll back. */
    default void cancelled(CancelResult result) {}

    /**
     * A handler is about to be called.
     *
     * @param lateness how long after its due time, by store time
     */
    default void started(Job job, Duration lateness) {}

    /**
     * An attempt's end is durable.
     *
     * @param took from the handler's call to its end
     * @param next what becomes of the job
     */
    default void completed(Job job, JobOutcome outcome, Transition next, Duration took) {}

    /** The end of an attempt was refused: the row had moved on, another attempt may have followed. */
    default void fenced(Job job) {}

    /** Rows were taken over that are overdue in partitions that another instance leads, or nobody. */
    default void adopted(int count) {}

    /** Running rows of lost instances wait again. */
    default void rescued(Collection<JobId> jobs) {}

    /** This instance leads the partition from now on. */
    default void leaseAcquired(Partition partition) {}

    /**
     * This instance leads the partition no longer.
     *
     * @param reason in a word: {@code expired}, {@code lost}, {@code surplus}, {@code stopping}
     */
    default void leaseEnded(Partition partition, String reason) {}

    /**
     * A background role failed; it backs off and comes again.
     *
     * @param role which one
     */
    default void agentFailed(String role, Throwable failure) {}

    /** A background role that had failed works again. */
    default void agentRecovered(String role) {}

    /**
     * Due rows were read from the store.
     *
     * @param read which read: {@code window}, {@code sweep} or {@code adopt}
     */
    default void preloaded(String read, int rows, Duration took) {}
}
