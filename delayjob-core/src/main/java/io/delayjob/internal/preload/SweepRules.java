package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The settings in which the two sweeps differ.
 *
 * @param role the name of its background role
 * @param partitions the partitions that it reads
 * @param enoughOf tells for a handler name whether so many of its jobs are in memory that one page in each pass is
 *     enough
 * @param due the intake for the rows that the sweep finds
 * @param interval the time between the beginnings of two passes
 * @param age the time for which a row must be overdue
 * @param oldestView the maximum age of a view of the outlook; rows that are committed after the view are found one pass
 *     later
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        Predicate<String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
