package io.delayjob.test;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the instances of a simulation share: the rows, the table of leases, which goes by the store's clock as ShedLock's does,
 * and that clock, which may be set.
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

    /** Somebody sets the store's clock. */
    void setClock(Duration by) {
        microsAhead += by.toNanos() / 1_000;
    }

    /** @param holder who renews and frees no leases but those of this name */
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
