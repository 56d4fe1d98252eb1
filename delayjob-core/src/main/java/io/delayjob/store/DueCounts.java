package io.delayjob.store;

import java.util.List;
import java.util.Map;

/**
 * Contains the numbers of unfinished jobs, waiting and running, that become due in each bucket of a {@link DueSpan}.
 *
 * @param due one number for each bucket
 * @param precision the precision of each number
 * @param byName the numbers for each handler name; may be empty. If one of these numbers is not exact, all of them are
 *     estimates from a sample
 * @param lookedAt number of rows that the store read
 */
public record DueCounts(List<Long> due, List<Precision> precision, Map<String, List<Long>> byName, int lookedAt) {

    /** Maximum number of rows that a store reads for one call. */
    public static final int MAX_LOOK = 20_000;

    public DueCounts {
        due = List.copyOf(due);
        precision = List.copyOf(precision);
        byName = Map.copyOf(byName);
    }

    /**
     * Tells whether the store has counted all jobs of each name. Otherwise, the numbers in {@code byName} are
     * estimates.
     */
    public boolean hasCountedNames() {
        return precision.stream().allMatch(Precision.EXACT::equals)
                && lookedAt <= due.stream().mapToLong(Long::longValue).sum();
    }
}
