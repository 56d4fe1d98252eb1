package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The differences between one sweep and another.
 *
 * @param role the name of its background role
 * @param partitions the partitions in which it looks
 * @param enoughOf whether so many jobs of a handler name are in memory that one page in each pass is enough
 * @param due the intake for the rows that the sweep finds
 * @param interval the pause between the beginnings of two passes
 * @param age the time for which a row must be overdue
 * @param oldestView the maximum age of a view of the outlook: rows committed later are found one pass later
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        Predicate<String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
