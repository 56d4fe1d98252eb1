package io.delayjob.store;

import java.util.List;
import java.util.Map;

/**
 * How many unfinished jobs come due in each bucket of a {@link DueSpan}, waiting and running ones.
 *
 * @param due a number for each bucket
 * @param precision how good each of them is
 * @param byName the numbers by handler name, scaled from a sample unless all are exact; may be empty
 * @param lookedAt number of rows that were looked at
 */
public record DueCounts(List<Long> due, List<Precision> precision, Map<String, List<Long>> byName, int lookedAt) {

    /** Maximum number of rows that a store looks at for one answer. */
    public static final int MAX_LOOK = 20_000;

    public DueCounts {
        due = List.copyOf(due);
        precision = List.copyOf(precision);
        byName = Map.copyOf(byName);
    }
}
