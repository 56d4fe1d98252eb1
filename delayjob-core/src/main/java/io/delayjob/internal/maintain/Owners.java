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
 * row. The number of an instance is never used again. So if the register is read after a row and does not contain the
 * owner's number, the owner has left. If the register was read before the row, a missing number proves nothing. The
 * owner may have registered between the two reads, even with a lower number than instances that registered before it.
 * Therefore a {@linkplain #known known} number can prove that a row is not lost. But a missing number does not prove
 * that a row is lost.
 *
 * @param departures a number that grows whenever instances have left the register, or may have left it unnoticed. When
 *     an instance leaves, it is first removed from {@code known}, and then this number grows
 * @param known numbers of the registered instances, according to an earlier read
 * @param register the register, to read it again
 */
public record Owners(IntSupplier departures, Supplier<Set<Long>> known, InstanceStore register) {

    /**
     * The rows must have been read before this call.
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
