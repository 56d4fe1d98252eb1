package io.delayjob.test;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Grants leases that expire in virtual time. The leases are kept in the memory of this process. Engines that compete
 * for partitions must share one provider. Thread-safe.
 */
public final class MemoryLeaseProvider implements LeaseProvider {

    private final EngineClock clock;
    private final Map<String, HeldLease> held = new HashMap<>();

    /** @param clock the clock, whose monotonic time decides when leases expire */
    public MemoryLeaseProvider(EngineClock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Optional<Lease> acquire(String name, Duration duration) {
        HeldLease present = held.get(name);
        return present != null && !present.isExpired() ? Optional.empty() : Optional.of(grant(name, duration));
    }

    private Lease grant(String name, Duration duration) {
        HeldLease lease = new HeldLease(name, clock.nanoTime() + duration.toNanos());
        held.put(name, lease);
        return lease;
    }

    private synchronized Optional<Lease> extend(HeldLease lease, Duration duration) {
        boolean lost = held.get(lease.name) != lease || lease.isExpired();
        return lost ? Optional.empty() : Optional.of(grant(lease.name, duration));
    }

    private synchronized void release(HeldLease lease) {
        held.remove(lease.name, lease);
    }

    private final class HeldLease implements Lease {

        private final String name;
        private final long endNanos;

        HeldLease(String name, long endNanos) {
            this.name = name;
            this.endNanos = endNanos;
        }

        boolean isExpired() {
            return clock.nanoTime() - endNanos >= 0;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            return MemoryLeaseProvider.this.extend(this, duration);
        }

        @Override
        public void release() {
            MemoryLeaseProvider.this.release(this);
        }
    }
}
