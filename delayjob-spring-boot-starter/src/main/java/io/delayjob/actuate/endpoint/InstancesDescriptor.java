package io.delayjob.actuate.endpoint;

import io.delayjob.store.InstanceRow;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The instances that are registered.
 *
 * @param instances the instances
 */
record InstancesDescriptor(List<InstanceDescriptor> instances) implements OperationResponseBody {

    /** @param self this instance's number */
    static InstancesDescriptor of(List<InstanceRow> rows, long self) {
        return new InstancesDescriptor(rows.stream()
                .sorted(Comparator.comparingLong(InstanceRow::number))
                .map(row -> new InstanceDescriptor(
                        row.number(),
                        row.incarnation(),
                        new TreeSet<>(row.queues()),
                        row.stopping(),
                        row.number() == self))
                .toList());
    }

    /** An instance; the fields are those of {@link InstanceRow}. */
    record InstanceDescriptor(long number, String incarnation, Set<String> queues, boolean stopping, boolean self) {}
}
