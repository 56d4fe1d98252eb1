package io.delayjob.test;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The objects that all instances of a simulation share: the rows, the table of leases, and the store's clock, which may
 * be set. Leases expire by that clock, as with ShedLock.
 */
final class SharedStore {

    private final VirtualClock truth;
    private final Map<String, Row> leases = new HashMap<>();
    private long microsAhead;

    final MemoryJobStore jobs = new MemoryJobStore(this::clockMicros);

    SharedStore(VirtualClock truth) {
        this.truth = truth;
    }

    long clockMicros() {
        return truth.storeMicros() + microsAhead;
    }

    /** Sets the store's clock. */
    void setClock(Duration by) {
        microsAhead += by.toNanos() / 1_000;
    }

    /** @param holder the name of the holder, who can renew and free only its own leases */
    LeaseProvider leases(String holder) {
        return (name, duration) -> {
            Row present = leases.get(name);
            return present != null && present.isHeld() ? Optional.empty() : Optional.of(grant(holder, name, duration));
        };
    }

    private Lease grant(String holder, String name, Duration duration) {
        Row row = new Row(holder, name, clockMicros() + duration.toNanos() / 1_000);
        leases.put(name, row);
        return row;
    }

    private final class Row implements Lease {

        private final String holder;
        private final String name;
        private final long endMicros;

        Row(String holder, String name, long endMicros) {
            this.holder = holder;
            this.name = name;
            this.endMicros = endMicros;
        }

        boolean isHeld() {
            return clockMicros() < endMicros;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            Row present = leases.get(name);
            boolean lost = present == null || !present.isHeld() || !present.holder.equals(holder);
            return lost ? Optional.empty() : Optional.of(grant(holder, name, duration));
        }

        @Override
        public void release() {
            leases.computeIfPresent(name, (n, present) -> present.holder.equals(holder) ? null : present);
        }
    }
}
