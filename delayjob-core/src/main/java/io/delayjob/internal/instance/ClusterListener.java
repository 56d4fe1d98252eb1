package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.Set;

/**
 * Receives the changes that {@link Membership} reads from the cluster's register. Called on the thread of the
 * membership's agent.
 */
public interface ClusterListener {

    /**
     * The instances of the cluster have changed: an instance has registered, left, begun to stop, or missed its
     * heartbeats. Also called if this instance may have missed such a change.
     */
    default void instancesChanged() {}

    /** An instance has registered, possibly this instance itself. Called once for each instance. */
    default void instanceJoined(InstanceRow instance) {}

    /**
     * An instance has left the register, and its heartbeats were not overdue. So the instance has probably stopped
     * regularly. Called once for each instance.
     */
    default void instanceLeft(InstanceRow instance) {}

    /**
     * An instance was removed from the register because it was silent. Either this instance or another instance has
     * removed it. Called once for each instance.
     *
     * @param silence the time for which this instance has seen no heartbeat of that instance
     */
    default void instanceGivenUp(InstanceRow instance, Duration silence) {}

    /** Other instances have removed this instance from the register. It will register again. */
    default void expelled() {}

    /**
     * The pauses have changed. Called on the agent's thread, or on the thread of a caller that has paused a name
     * through this instance. Calls never overlap. After this method has returned, no paused job starts.
     *
     * @param paused all present pauses
     */
    default void pausesChanged(Paused paused) {}

    /**
     * Receives the requested cancellations, after each read of the register.
     *
     * @param jobs the jobs that ran here when their cancellation was requested
     * @return the jobs whose notices are no longer needed and can be forgotten
     */
    default Set<JobId> cancelRequested(Set<JobId> jobs) {
        return jobs;
    }
}
