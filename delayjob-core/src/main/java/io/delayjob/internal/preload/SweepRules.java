package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How one sweep differs from another.
 *
 * @param role its name as a background role
 * @param partitions where it looks
 * @param enoughOf whether so many jobs of a handler name are at hand that one page of it in each pass is enough
 * @param due takes the rows it finds
 * @param interval pause between the beginnings of two passes
 * @param age how long a row must be overdue
 * @param oldestView how old a view of the outlook may be: rows committed since are found a pass later
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        Predicate<String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
