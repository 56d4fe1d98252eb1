package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.List;
import java.util.Set;

/**
 * The news that an instance reads from the register, as of one moment.
 *
 * @param instances all registered instances
 * @param paused the handlers and queues that are paused
 * @param cancelRequested jobs that ran on this instance when somebody asked to cancel them. If there are very many, the
 *     view has only a part of them; the others come when these have been forgotten
 */
public record ClusterView(List<InstanceRow> instances, Paused paused, Set<JobId> cancelRequested) {

    public ClusterView {
        instances = List.copyOf(instances);
        cancelRequested = Set.copyOf(cancelRequested);
    }
}
