package io.delayjob.test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All faults of a simulation so far. */
final class Faults {

    /** The place of a fault that affects all instances. */
    static final String STORE = "store";

    private final VirtualClock truth;
    private final History history;
    private final List<Fault> all = new ArrayList<>();

    Faults(VirtualClock truth, History history) {
        this.truth = truth;
        this.history = history;
    }

    Fault begin(Fault.Kind kind, String where, long untilNanos, double share) {
        Fault fault = new Fault(kind, where, truth.nanoTime(), untilNanos, share);
        all.add(fault);
        history.note(where, kind.name(), null, 0);
        return fault;
    }

    /** Tells whether this instance or the store has had a fault since this time. */
    boolean explain(String instance, long sinceNanos) {
        return all.stream()
                .anyMatch(fault -> (fault.where.equals(instance) || fault.where.equals(STORE))
                        && !fault.kind.isOfClocks()
                        && fault.wasFeltSince(sinceNanos));
    }

    boolean has(Fault.Kind kind, String where) {
        return all.stream().anyMatch(fault -> fault.kind == kind && fault.where.equals(where));
    }

    int felt() {
        return (int) all.stream().filter(Fault::hasTakenEffect).count();
    }

    /** Returns the number of faults that had an effect, by kind. */
    Map<Fault.Kind, Integer> byKind() {
        Map<Fault.Kind, Integer> counts = new EnumMap<>(Fault.Kind.class);
        all.stream().filter(Fault::hasTakenEffect).forEach(fault -> counts.merge(fault.kind, 1, Integer::sum));
        return counts;
    }

    /** Returns the end of the last fault, in virtual nanoseconds. */
    long overNanos() {
        return all.stream().mapToLong(Fault::feltUntilNanos).max().orElse(0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        all.forEach(fault -> text.append("  ").append(fault).append('\n'));
        return text.toString();
    }
}
