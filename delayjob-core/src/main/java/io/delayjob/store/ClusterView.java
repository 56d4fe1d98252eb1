package io.delayjob.store;

import io.delayjob.job.Paused;
import java.util.List;

/**
 * What instances know of each other, read at one moment.
 *
 * @param instances all registered instances
 * @param paused what is paused
 */
public record ClusterView(List<InstanceRow> instances, Paused paused) {

    public ClusterView {
        instances = List.copyOf(instances);
    }
}
