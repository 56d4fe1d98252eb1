package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.Set;

/** Is told of changes that {@link Membership} reads from the cluster's register. Called on the thread of its agent. */
public interface ClusterListener {

    /** An instance has come, left, begun to stop or fallen silent, or may have done so unseen. */
    default void instancesChanged() {}

    /** An instance has registered. This may be the present instance. Told once of each. */
    default void instanceJoined(InstanceRow instance) {}

    /**
     * An instance is gone, and its heartbeats were not overdue. So it probably stopped in good order. Told once of
     * each.
     */
    default void instanceLeft(InstanceRow instance) {}

    /**
     * An instance was given up, by this instance or by another one. Told once of each.
     *
     * @param silence the time for which this instance had seen no heartbeat of it
     */
    default void instanceGivenUp(InstanceRow instance, Duration silence) {}

    /** The other instances have removed this one from the register. It registers again next. */
    default void expelled() {}

    /**
     * Something was paused or resumed. Called on the agent's thread, or on the thread of a caller that has paused
     * something through this instance, one call at a time. After it has returned, no paused job starts.
     *
     * @param paused all present pauses
     */
    default void pausesChanged(Paused paused) {}

    /**
     * Passes on cancellation requests, at each look.
     *
     * @param jobs the jobs that ran here when their cancellation was requested
     * @return the jobs whose notices are no longer needed and can be forgotten
     */
    default Set<JobId> cancelRequested(Set<JobId> jobs) {
        return jobs;
    }
}
