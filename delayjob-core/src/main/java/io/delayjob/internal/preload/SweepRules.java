package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Contains the settings that differ between the two sweeps.
 *
 * @param role name of the sweep's background task
 * @param partitions supplies the partitions that the sweep reads
 * @param enoughOf tells whether enough jobs of a handler name are in memory, so that one page in each pass is enough
 * @param due receives the rows that the sweep finds
 * @param interval the time between the beginnings of two passes
 * @param age how long a row must be overdue before the sweep reads it
 * @param oldestView maximum age of the view that tells which partitions need not be read. If a row is committed after
 *     the view was read, the next pass finds the row
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        Predicate<String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
