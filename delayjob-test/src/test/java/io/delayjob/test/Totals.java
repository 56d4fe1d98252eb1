package io.delayjob.test;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The sums of many simulations. */
final class Totals {

    private final Map<Fault.Kind, Long> faults = new EnumMap<>(Fault.Kind.class);
    private long seeds;
    private long jobs;
    private long attempts;
    private long duplicates;
    private long fenced;
    private Duration virtualTime = Duration.ZERO;

    synchronized void add(Simulation.Outcome outcome) {
        seeds++;
        jobs += outcome.jobs();
        attempts += outcome.attempts();
        duplicates += outcome.duplicates();
        fenced += outcome.fenced();
        virtualTime = virtualTime.plus(outcome.virtualTime());
        outcome.faults().forEach((kind, count) -> faults.merge(kind, (long) count, Long::sum));
    }

    synchronized long seeds() {
        return seeds;
    }

    @Override
    public synchronized String toString() {
        long felt = faults.values().stream().mapToLong(Long::longValue).sum();
        return "%,d seeds, %,d jobs, %,d attempts, %,d faults felt, %,d runs repeated because of them, %,d late ends refused, %,d virtual hours; faults: %s"
                .formatted(seeds, jobs, attempts, felt, duplicates, fenced, virtualTime.toHours(), faults);
    }
}
