package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import java.util.List;
import java.util.Set;

/**
 * What an instance is to know of the others and from them, read at one moment.
 *
 * @param instances all registered instances
 * @param paused what is paused
 * @param cancelRequested jobs that ran on this instance when somebody asked to cancel them; of very many
 *     a part, the others once these have been forgotten
 */
public record ClusterView(List<InstanceRow> instances, Paused paused, Set<JobId> cancelRequested) {

    public ClusterView {
        instances = List.copyOf(instances);
        cancelRequested = Set.copyOf(cancelRequested);
    }
}
