package io.delayjob.event;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.Collection;

/**
 * Receives the events of an engine; by default, every method does nothing. The engine calls these methods on its own
 * threads, so the methods must be quick. Exceptions of a listener are logged, and otherwise ignored. An implementation
 * must be thread-safe.
 */
public interface JobListener {

    /**
     * A call has written new jobs, or has kept, replaced or postponed an existing job with the same key. The caller's
     * transaction may still roll back.
     */
    default void scheduled(String name, int count) {}

    /**
     * A job has ended, and the store has also written the row of the next job in its chain. The engine also calls the
     * method {@link #scheduled} for the next job.
     *
     * @param name the name of the next job
     */
    default void followed(String name) {}

    /**
     * All members of a closed or cancelled group have ended, so the group has now ended, too. Only the instance that
     * ended the group calls this method, once. If that instance dies before this call, no instance calls this method.
     *
     * @param group the state and the final numbers of the group
     */
    default void groupEnded(GroupStatus group) {}

    /** A call to cancel a job has returned {@code result}. The caller's transaction may still roll back. */
    default void cancelled(CancelResult result) {}

    /**
     * Another system has answered a job, and the call has returned {@code result}. If the answer has changed the job,
     * the engine calls this method after the commit of that change. In this case, the engine also calls {@link
     * #completed}.
     */
    default void answered(AnswerResult result) {}

    /**
     * The engine is about to call a handler.
     *
     * @param lateness time from the job's due time until the present, in store time
     */
    default void started(Job job, Duration lateness) {}

    /**
     * The store has written the outcome of an attempt.
     *
     * @param took time from the call to the handler until the handler returned; zero if the handler was not called
     * @param next the job's next state
     */
    default void completed(Job job, JobOutcome outcome, Transition next, Duration took) {}

    /** The store has refused the outcome of an attempt, because the row of the job has changed since the claim. */
    default void fenced(Job job) {}

    /**
     * This instance has taken over overdue rows from partitions that another instance leads, or that have no leader.
     */
    default void adopted(int count) {}

    /** This instance has rescued jobs that were running on lost instances. These jobs are waiting again. */
    default void rescued(Collection<JobId> jobs) {}

    /**
     * An instance has joined the cluster. Each instance calls its listeners once for itself, and once for each instance
     * that joins later.
     *
     * @param number the new instance's number in the register
     * @param incarnation name of the new instance; each start of a process has a different name
     */
    default void instanceJoined(long number, String incarnation) {}

    /**
     * An instance has left the cluster while its heartbeats were still on time. So the instance has probably stopped
     * normally. This method is called once for each instance that leaves.
     */
    default void instanceLeft(long number, String incarnation) {}

    /**
     * An instance that sent no heartbeats was removed from the register. Other instances repeat the attempts that were
     * under way on the removed instance. Each instance calls its listeners once for each removed instance. If a removed
     * instance reaches the store again, that instance calls its own listeners, too.
     *
     * @param silence how long this listener's engine had seen no heartbeat of the removed instance
     */
    default void instanceGivenUp(long number, String incarnation, Duration silence) {}

    /**
     * Handlers or queues were paused in the whole cluster. Each instance calls its listeners once for each new pause
     * that it sees.
     *
     * @param names the paused handlers and queues; a renamed handler is paused under all its names
     */
    default void paused(Paused names) {}

    /**
     * Handlers or queues were resumed in the whole cluster. This method is called once for each resumed handler or
     * queue.
     */
    default void resumed(Paused names) {}

    /** This instance has become the leader of the partition. */
    default void leaseAcquired(Partition partition) {}

    /**
     * This instance is no longer the leader of the partition.
     *
     * @param reason {@code expired}, {@code lost}, {@code surplus}, {@code unused} or {@code stopping}
     */
    default void leaseEnded(Partition partition, String reason) {}

    /**
     * A background task of the engine has failed, and is called again after a pause.
     *
     * @param role the name of the background task
     */
    default void agentFailed(String role, Throwable failure) {}

    /** A background task of the engine works again after a failure. */
    default void agentRecovered(String role) {}

    /**
     * The engine has read due rows from the store.
     *
     * @param read kind of the read: {@code window}, {@code sweep} or {@code adopt}
     */
    default void preloaded(String read, int rows, Duration took) {}
}
