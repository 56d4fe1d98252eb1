package io.delayjob.shedlock;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants leases. For each lease, this class takes one lock of ShedLock. A lease decides which instance reads jobs
 * before they are due, but never which instance runs a job. So every lock provider is safe, even if two instances hold
 * the same lock for a short time.
 *
 * <p>When a lease has expired, another instance may hold the lock. Some providers extend or free a lock without
 * checking its holder. Therefore this class never extends or frees an expired lease. The monotonic clock decides
 * whether a lease has expired.
 *
 * <p>Call this class on a separate thread, outside of any transaction, because a lock provider may use its own
 * transactions. This class is thread-safe if the lock provider is thread-safe. All providers of ShedLock are
 * thread-safe.
 */
public final class ShedLockLeaseProvider implements LeaseProvider {

    private static final Logger log = LoggerFactory.getLogger(ShedLockLeaseProvider.class);

    private final LockProvider locks;
    private final EngineClock clock;
    private final AtomicBoolean toldThatNoneIsExtended = new AtomicBoolean();

    /**
     * @param locks the lock provider. If this provider cannot extend locks, each renewal of a lease frees the lock and
     *     takes it again
     * @param clock the clock of the engine. Its monotonic time tells when a lease expires. {@link
     *     EngineClock#storeTime()} minus {@link EngineClock#skew()} must be the time of this machine's wall clock
     */
    public ShedLockLeaseProvider(LockProvider locks, EngineClock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        long request = clock.nanoTime();
        return locks.lock(new LockConfiguration(wallTime(), name, duration, Duration.ZERO))
                .map(granted -> new LockLease(name, granted, request + duration.toNanos()));
    }

    /**
     * Some providers compare the end of a lock with this machine's wall clock. So the start of a lock must come from
     * this clock, too.
     */
    private Instant wallTime() {
        return clock.storeTime().minus(clock.skew());
    }

    private void tellThatNoneIsExtended() {
        if (toldThatNoneIsExtended.compareAndSet(false, true)) {
            log.info(
                    "The lock provider {} cannot extend a lock, so each renewal of a lease frees the lock and takes "
                            + "it again. Another instance may take the lock in between, but each job still runs once.",
                    locks.getClass().getSimpleName());
        }
    }

    private final class LockLease implements Lease {
        private final String name;
        private final SimpleLock lock;
        private final long overNanos;

        LockLease(String name, SimpleLock lock, long overNanos) {
            this.name = name;
            this.lock = lock;
            this.overNanos = overNanos;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            long request = clock.nanoTime();
            if (request - overNanos >= 0) {
                return Optional.empty();
            }
            try {
                return lock.extend(duration, Duration.ZERO)
                        .map(extended -> new LockLease(name, extended, request + duration.toNanos()));
            } catch (UnsupportedOperationException cannotExtend) {
                tellThatNoneIsExtended();
                return freeAndTakeAgain(duration);
            }
        }

        /** If the lock provider does not reply, the lock may be free, so the lease is treated as lost. */
        private Optional<Lease> freeAndTakeAgain(Duration duration) {
            try {
                lock.unlock();
                return acquire(name, duration);
            } catch (RuntimeException unanswered) {
                log.debug(
                        "The renewal of lease {} got no answer, so this instance treats the lease as lost.",
                        this,
                        unanswered);
                return Optional.empty();
            }
        }

        @Override
        public void release() {
            if (clock.nanoTime() - overNanos < 0) {
                lock.unlock();
            }
        }

        @Override
        public String toString() {
            return "lease " + name;
        }
    }
}
