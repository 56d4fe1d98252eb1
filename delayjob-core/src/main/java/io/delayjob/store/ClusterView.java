package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.List;
import java.util.Set;

/**
 * A snapshot of the register at one moment. It contains only the part that one instance needs.
 *
 * @param cancelRequested jobs that were running on this instance when their cancellation was requested. If there are
 *     very many such jobs, the view contains only some of them. The caller must pass the jobs of this view to {@link
 *     InstanceStore#forgetCancellations}. Only then does a later view contain the other jobs
 */
public record ClusterView(List<InstanceRow> instances, Paused paused, Set<JobId> cancelRequested) {

    public ClusterView {
        instances = List.copyOf(instances);
        cancelRequested = Set.copyOf(cancelRequested);
    }
}
