package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.Set;

/** Receives the changes in the cluster's register, on the thread of the membership's agent. */
public interface ClusterListener {

    /** Called after instances have joined or left, and also if this instance may have missed a change. */
    default void instancesChanged() {}

    /** Called once for each instance, including this instance. */
    default void instanceJoined(InstanceRow instance) {}

    /** An instance has probably stopped regularly, because its heartbeats were not overdue. */
    default void instanceLeft(InstanceRow instance) {}

    /** @param silence how long this instance has seen no heartbeat of the removed instance */
    default void instanceGivenUp(InstanceRow instance, Duration silence) {}

    default void expelled() {}

    /**
     * Calls of this method never overlap. A call may come from a thread that has paused a handler or queue on this
     * instance. After this method has returned, no job of a paused handler or queue starts.
     */
    default void pausesChanged(Paused paused) {}

    /**
     * @param jobs the jobs that were running on this instance when their cancellation was requested
     * @return the jobs whose notices of cancellation the register can delete
     */
    default Set<JobId> cancelRequested(Set<JobId> jobs) {
        return jobs;
    }
}
