package io.delayjob.event;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.Collection;

/**
 * Receives the events of an engine; every method is empty by default. Methods are called on the engine's own threads,
 * so they must be quick. An exception of a listener is logged and otherwise ignored. An implementation must be
 * thread-safe.
 */
public interface JobListener {

    /**
     * Jobs were written, or an existing job of the same key was kept, replaced or postponed. If a call repeats the id
     * of a job, listeners are not told again. The caller's transaction may still roll back.
     */
    default void scheduled(String name, int count) {}

    /** A cancellation returned {@code result}. The caller's transaction may still roll back. */
    default void cancelled(CancelResult result) {}

    /**
     * An answer from outside returned {@code result}. If the answer changed something, its transaction has committed,
     * and {@link #completed} is called, too. An answer that waits for a commit is told only if it changes something
     * then.
     */
    default void answered(AnswerResult result) {}

    /**
     * A handler is about to be called.
     *
     * @param lateness the time between the due time and now, in store time
     */
    default void started(Job job, Duration lateness) {}

    /**
     * The end of an attempt is durable.
     *
     * @param took the time from the handler's call to its end; zero for an end without a call, such as an answer from
     *     outside
     * @param next the job's next state
     */
    default void completed(Job job, JobOutcome outcome, Transition next, Duration took) {}

    /** The end of an attempt was refused, because the row had changed meanwhile. Another attempt may have followed. */
    default void fenced(Job job) {}

    /** Overdue rows were taken over from partitions that another instance leads, or that have no leader. */
    default void adopted(int count) {}

    /** Running rows of lost instances were set back to waiting. */
    default void rescued(Collection<JobId> jobs) {}

    /**
     * An instance has joined the cluster. Each instance tells its own listeners once about each other instance, and
     * about itself. Instances that were registered before this instance do not count as new.
     *
     * @param number its number in the register
     * @param incarnation its name, unique to one start of one process
     */
    default void instanceJoined(long number, String incarnation) {}

    /**
     * An instance has left the cluster, and its heartbeats were not overdue. So it probably stopped in good order. This
     * method is called once for each instance.
     *
     * @param number its number in the register
     * @param incarnation its name
     */
    default void instanceLeft(long number, String incarnation) {}

    /**
     * An instance was given up, by this instance or by another, so its attempts will be repeated. This method is called
     * once for each instance that was given up. If this instance itself was given up, this is called when it reaches
     * the store again.
     *
     * @param number its number in the register
     * @param incarnation its name
     * @param silence the time for which this instance had seen no heartbeat of that instance
     */
    default void instanceGivenUp(long number, String incarnation, Duration silence) {}

    /**
     * Handlers or queues were paused in the whole cluster. Each instance tells its own listeners of each pause once. It
     * does not tell them of pauses that began before its start. If a pause ends before an instance has seen it, the
     * listeners of that instance are not told.
     *
     * @param names what was paused; a renamed handler is paused by all its names
     */
    default void paused(Paused names) {}

    /**
     * Handlers or queues were resumed in the whole cluster. Told once of each.
     *
     * @param names what was resumed
     */
    default void resumed(Paused names) {}

    /** This instance leads the partition from now on. */
    default void leaseAcquired(Partition partition) {}

    /**
     * This instance no longer leads the partition.
     *
     * @param reason one of {@code expired}, {@code lost}, {@code surplus}, {@code stopping}
     */
    default void leaseEnded(Partition partition, String reason) {}

    /**
     * A background role failed. It pauses and is called again.
     *
     * @param role the name of the role
     */
    default void agentFailed(String role, Throwable failure) {}

    /** A background role that had failed works again. */
    default void agentRecovered(String role) {}

    /**
     * Due rows were read from the store.
     *
     * @param read the kind of read: {@code window}, {@code sweep} or {@code adopt}
     */
    default void preloaded(String read, int rows, Duration took) {}
}
