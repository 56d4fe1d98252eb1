package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The settings in which the two sweeps differ.
 *
 * @param role the name of the sweep's background role
 * @param partitions the partitions that the sweep reads
 * @param enoughOf tells whether enough jobs of a handler name are in memory. Then one page in each pass is enough
 * @param due the intake for the rows that the sweep finds
 * @param interval the time between the beginnings of two passes
 * @param age the time for which a row must be overdue
 * @param oldestView the maximum age of a view of the outlook. The next pass finds rows that were committed after the
 *     view
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        Predicate<String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
