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
     * of an existing job, this method is not called again. The caller's transaction may still roll back.
     */
    default void scheduled(String name, int count) {}

    /** A cancellation returned {@code result}. The caller's transaction may still roll back. */
    default void cancelled(CancelResult result) {}

    /**
     * An answer from outside had this result. If the answer has changed the job, its transaction has committed, and
     * {@link #completed} is called, too. If an answer waits for a commit, this method is called only if the answer
     * changes the job at the commit.
     */
    default void answered(AnswerResult result) {}

    /**
     * A handler is about to be called.
     *
     * @param lateness the time between the due time and now, in store time
     */
    default void started(Job job, Duration lateness) {}

    /**
     * The outcome of an attempt was written.
     *
     * @param took the time from the call of the handler to its end; zero if the handler was not called, as for an
     *     answer from outside
     * @param next the job's next state
     */
    default void completed(Job job, JobOutcome outcome, Transition next, Duration took) {}

    /**
     * The store refused the outcome of an attempt, because the row had changed meanwhile. Another attempt may have
     * followed.
     */
    default void fenced(Job job) {}

    /** Overdue rows were taken over from partitions that another instance leads, or that have no leader. */
    default void adopted(int count) {}

    /** Running rows of lost instances were set back to waiting. */
    default void rescued(Collection<JobId> jobs) {}

    /**
     * An instance has joined the cluster. The listeners of each instance are called once for each new instance, and for
     * the instance itself. The listeners are not called for instances that were registered before this instance.
     *
     * @param number its number in the register
     * @param incarnation its name, unique to one start of one process
     */
    default void instanceJoined(long number, String incarnation) {}

    /**
     * An instance has left the cluster, and its heartbeats were not overdue. So the instance has probably stopped
     * regularly. This method is called once for each instance.
     *
     * @param number its number in the register
     * @param incarnation its name
     */
    default void instanceLeft(long number, String incarnation) {}

    /**
     * An instance that sent no heartbeats was removed from the register, so its attempts will be repeated. This method
     * is called once for each such instance. If this instance itself was removed, the method is called when it reaches
     * the store again.
     *
     * @param number its number in the register
     * @param incarnation its name
     * @param silence the time for which this instance had seen no heartbeat of that instance
     */
    default void instanceGivenUp(long number, String incarnation, Duration silence) {}

    /**
     * Handlers or queues were paused in the whole cluster. The listeners of each instance are called once for each
     * pause. The listeners are not called for a pause that began before the instance started, or that ended before the
     * instance has seen it.
     *
     * @param names the paused handlers and queues; a renamed handler is paused under all its names
     */
    default void paused(Paused names) {}

    /**
     * Handlers or queues were resumed in the whole cluster. This method is called once for each of them.
     *
     * @param names the resumed handlers and queues
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
     * A background role failed. The role is called again after a pause.
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
