package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.List;
import java.util.Set;

/**
 * The content of the register that one instance needs, as read at one moment.
 *
 * @param instances all registered instances
 * @param paused the handlers and queues that are paused
 * @param cancelRequested jobs that ran on this instance when their cancellation was requested. If there are very many
 *     such jobs, the view has only some of them. Later views have the others, after the first were {@linkplain
 *     InstanceStore#forgetCancellations forgotten}
 */
public record ClusterView(List<InstanceRow> instances, Paused paused, Set<JobId> cancelRequested) {

    public ClusterView {
        instances = List.copyOf(instances);
        cancelRequested = Set.copyOf(cancelRequested);
    }
}
