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
 * Tells which running rows were lost: those whose owner has left the register.
 *
 * <pre>
 *   owner:    registers ----> claims the row ----> leaves, or is given up as silent
 *   rescuer:                        reads the row ----> reads the register
 * </pre>
 *
 * <p>The order of the two reads decides. An owner was registered before it claimed, and its number never comes again.
 * So if the register is read after the row, a missing number means that the owner has left. A register that was read
 * before does not tell: registrations may become visible in another order than their numbers, and an instance may have
 * come since. That is why the {@linkplain #known known} numbers only spare rows, and condemn none.
 *
 * @param departures how often instances were found to have left the register; counted after they have left
 *     {@code known}
 * @param known numbers of the registered instances, as of a look some time ago
 * @param register the register itself
 */
public record Owners(IntSupplier departures, Supplier<Set<Long>> known, InstanceStore register) {

    /**
     * Of these rows, which were read before this call, those whose owner is not registered. The register is read only
     * if there are any.
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
