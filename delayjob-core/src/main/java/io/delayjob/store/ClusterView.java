package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.List;
import java.util.Set;

/**
 * Contains the part of the register that one instance needs, as it was at one moment.
 *
 * @param cancelRequested jobs that were running on this instance when their cancellation was requested. If there are
 *     very many such jobs, the view contains only some of them. After these jobs were {@linkplain
 *     InstanceStore#forgetCancellations forgotten}, later views contain the other jobs
 */
public record ClusterView(List<InstanceRow> instances, Paused paused, Set<JobId> cancelRequested) {

    public ClusterView {
        instances = List.copyOf(instances);
        cancelRequested = Set.copyOf(cancelRequested);
    }
}
