package io.delayjob.shedlock;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Makes leases through ShedLock, with one lock for each. A lease decides which instance preloads, never which instance runs a
 * job. So it does no harm if a lock provider has its own rules about holders.
 *
 * <p>Call it from a thread of its own, outside any transaction, because a lock provider may take locks in transactions
 * of its own. Thread-safe if the lock provider is; all of ShedLock's are.
 */
public final class ShedLockLeaseProvider implements LeaseProvider {

    private final LockProvider locks;
    private final EngineClock clock;

    /**
     * @param locks grants the locks. If it cannot extend a lock, as ZooKeeper's cannot, the lock is freed and taken
     *     again
     * @param clock clock for the start of a lock, for providers that do not ask a server
     */
    public ShedLockLeaseProvider(LockProvider locks, EngineClock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        return locks.lock(new LockConfiguration(clock.storeTime(), name, duration, Duration.ZERO))
                .map(granted -> new LockLease(name, granted));
    }

    private final class LockLease implements Lease {
        private final String name;
        private final SimpleLock lock;

        LockLease(String name, SimpleLock lock) {
            this.name = name;
            this.lock = lock;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            try {
                return lock.extend(duration, Duration.ZERO).map(extended -> new LockLease(name, extended));
            } catch (UnsupportedOperationException cannotExtend) {
                lock.unlock();
                return acquire(name, duration);
            }
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public String toString() {
            return "lease " + name;
        }
    }
}
