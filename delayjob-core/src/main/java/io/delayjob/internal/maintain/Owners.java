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
 * Tells which running rows are lost: their owners have left the register.
 *
 * <pre>
 *   owner:    registers ----> claims the row ----> leaves, or is given up as silent
 *   rescuer:                        reads the row ----> reads the register
 * </pre>
 *
 * <p>The order of the two reads decides. An owner registers before it claims, and its number is never used again.
 * So if the register is read after the row, a missing number means that the owner has left. A register that was read
 * before the row proves nothing. Registrations may become visible in another order than their numbers, and an instance
 * may have registered since. So the {@linkplain #known known} numbers can only show that a row is not lost, never that
 * it is.
 *
 * @param departures number of times that instances were found to have left the register. It is raised after they were
 * removed from {@code known}
 * @param known numbers of the registered instances, as of an earlier look
 * @param register the register itself
 */
public record Owners(IntSupplier departures, Supplier<Set<Long>> known, InstanceStore register) {

    /**
     * Returns the rows whose owner is not registered. The rows must have been read before this call. The
     * register is read only if there are any rows.
     */
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
