package io.delayjob.internal.instance;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.Set;

/** Hears what {@link Membership} learns when it looks at the cluster. Called on the thread of its agent. */
public interface ClusterListener {

    /** An instance came, went, stops or fell silent, or may have gone unseen. */
    default void instancesChanged() {}

    /** The others have given this instance up; it registers anew next. */
    default void expelled() {}

    /**
     * Something was paused or resumed. Called on the agent's thread, or on the thread of a caller that has paused
     * something through this instance, one call at a time. Once it returns, no paused job begins.
     *
     * @param paused all that is paused now
     */
    default void pausesChanged(Paused paused) {}

    /**
     * At each look.
     *
     * @param jobs those that ran here when somebody asked to cancel them
     * @return those of which nothing is left to be told: their notices are forgotten
     */
    default Set<JobId> cancelRequested(Set<JobId> jobs) {
        return jobs;
    }
}
