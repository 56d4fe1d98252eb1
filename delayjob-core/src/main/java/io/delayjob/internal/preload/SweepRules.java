package io.delayjob.internal.preload;

import io.delayjob.job.Partition;
import java.time.Duration;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * @param enoughOf takes a handler name and a queue, and tells whether one page of their rows is enough for a pass
 * @param interval the time between the beginnings of two passes
 * @param age how long a row must be overdue before the sweep reads the row
 * @param oldestView maximum age of the view that tells which partitions need not be read
 */
public record SweepRules(
        String role,
        Supplier<List<Partition>> partitions,
        BiPredicate<String, String> enoughOf,
        DueIntake due,
        Duration interval,
        Duration age,
        Duration oldestView) {}
