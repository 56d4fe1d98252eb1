package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.Set;

/**
 * Receives the changes that {@link Membership} reads from the cluster's register. The thread of the membership's agent
 * calls these methods.
 */
public interface ClusterListener {

    /**
     * The instances of the cluster have changed: an instance has registered, left, begun to stop, or missed its
     * heartbeats. Also called if this instance may have missed such a change.
     */
    default void instancesChanged() {}

    /** An instance has registered; it may be this instance itself. Called once for each instance. */
    default void instanceJoined(InstanceRow instance) {}

    /**
     * An instance has left the register although its heartbeats were not overdue, so it has probably stopped regularly.
     * Called once for each instance.
     */
    default void instanceLeft(InstanceRow instance) {}

    /**
     * A silent instance was removed from the register, by this instance or by another one. Called once for each
     * instance.
     *
     * @param silence how long this instance has seen no heartbeat of the removed instance
     */
    default void instanceGivenUp(InstanceRow instance, Duration silence) {}

    /** Other instances have removed this instance from the register. It then registers again. */
    default void expelled() {}

    /**
     * The pauses have changed. Called by the agent's thread, or by the thread of a caller that has paused a name on
     * this instance; calls never overlap. After this method has returned, no job of a paused handler or queue starts.
     *
     * @param paused all present pauses
     */
    default void pausesChanged(Paused paused) {}

    /**
     * Receives the jobs for which a caller has requested the cancellation. Called after each read of the register.
     *
     * @param jobs the jobs that were running on this instance when their cancellation was requested
     * @return the jobs that no longer need the notices of their cancellation. The register can delete these notices
     */
    default Set<JobId> cancelRequested(Set<JobId> jobs) {
        return jobs;
    }
}
