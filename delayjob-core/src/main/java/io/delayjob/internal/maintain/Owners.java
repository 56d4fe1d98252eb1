package io.delayjob.internal.maintain;

import io.delayjob.job.DueRow;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds the running rows that are lost because the instances that claimed them have left the register.
 *
 * <pre>
 *   owner:    registers ----> claims the row ----> leaves, or is given up as silent
 *   rescuer:                        reads the row ----> reads the register
 * </pre>
 *
 * <p>The order of two reads is important: first the row, then the register. An instance registers before it claims a
 * row, and its number is never used again. So if the register is read after the row, and does not contain the owner,
 * the owner has left. If the register was read before the row, a missing number proves nothing.
 *
 * @param departures a number that grows whenever instances may have left the register; it grows only after {@code
 *     known} has changed
 * @param known numbers of the instances that were registered when the register was last read
 */
public record Owners(IntSupplier departures, Supplier<Set<Long>> known, InstanceStore register) {

    /** Returns the rows whose owners have left the register. The rows must have been read before this call. */
    List<DueRow> lost(List<ClaimedRow> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Set<Long> registered = register.list().stream().map(InstanceRow::number).collect(Collectors.toSet());
        return rows.stream()
                .filter(row -> !registered.contains(row.owner()))
                .map(ClaimedRow::row)
                .toList();
    }
}
