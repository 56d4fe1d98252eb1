package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

class ShedLockLeaseProviderTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String NAME = "delayjob-default-p0";

    private final EngineClock clock = StoreClock.ofThisMachine();
    private final AtomicLong pausedFor = new AtomicLong();
    private final EngineClock pausable =
            new StoreClock(StoreClock::wallMicros, System::currentTimeMillis, pausedFor::get);
    private final List<String> calls = new ArrayList<>();

    /** A lock that can be extended once. */
    private final class ExtensibleLock implements SimpleLock {
        private final boolean extended;

        ExtensibleLock(boolean extended) {
            this.extended = extended;
        }

        @Override
        public void unlock() {
            calls.add("unlock");
        }

        @Override
        public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
            calls.add("extend by " + lockAtMostFor);
            return extended ? Optional.empty() : Optional.of(new ExtensibleLock(true));
        }
    }

    @Test
    void refusedLock_isNoLease() {
        assertThat(new ShedLockLeaseProvider(configuration -> Optional.empty(), clock).acquire(NAME, MINUTE))
                .isEmpty();
    }

    @Test
    void lease_isExtendedAndReleasedThroughItsLock() {
        LeaseProvider leases =
                new ShedLockLeaseProvider(configuration -> Optional.of(new ExtensibleLock(false)), clock);

        Lease extended =
                leases.acquire(NAME, MINUTE).orElseThrow().extend(MINUTE).orElseThrow();
        assertThat(extended.extend(MINUTE)).as("lost").isEmpty();
        extended.release();

        assertThat(calls).containsExactly("extend by PT1M", "extend by PT1M", "unlock");
    }

    @Test
    void lock_startsByTheClockOfThisMachine_whereverTheStoresClockStands() {
        EngineClock anHourAhead = new StoreClock(() -> StoreClock.wallMicros() + HOUR.toNanos() / 1_000);
        List<LockConfiguration> asked = new ArrayList<>();
        Instant before = Instant.now().minusMillis(5);

        new ShedLockLeaseProvider(
                        configuration -> {
                            asked.add(configuration);
                            return Optional.empty();
                        },
                        anHourAhead)
                .acquire(NAME, MINUTE);

        assertThat(asked).singleElement().satisfies(configuration -> {
            assertThat(configuration.getName()).isEqualTo(NAME);
            assertThat(configuration.getLockAtMostFor()).isEqualTo(MINUTE);
            assertThat(configuration.getLockAtLeastFor()).isEqualTo(Duration.ZERO);
            assertThat(configuration.getLockAtMostUntil())
                    .isBetween(before.plus(MINUTE), Instant.now().plus(MINUTE));
        });
    }

    @Test
    void leaseThatHasOutlivedItsDuration_isNeitherExtendedNorFreed() {
        Lease paused = new ShedLockLeaseProvider(configuration -> Optional.of(new ExtensibleLock(false)), pausable)
                .acquire(NAME, MINUTE)
                .orElseThrow();
        pausedFor.set(MINUTE.toNanos());

        assertThat(paused.extend(MINUTE)).isEmpty();
        paused.release();

        assertThat(calls).isEmpty();
    }

    @Test
    void extendedLease_livesAsLongAgain() {
        Lease lease = new ShedLockLeaseProvider(configuration -> Optional.of(new ExtensibleLock(false)), pausable)
                .acquire(NAME, MINUTE)
                .orElseThrow();
        pausedFor.set(MINUTE.toNanos() / 2);
        Lease extended = lease.extend(MINUTE).orElseThrow();
        pausedFor.set(MINUTE.toNanos() * 5 / 4);

        extended.release();

        assertThat(calls).containsExactly("extend by PT1M", "unlock");
    }

    @Test
    void renewalByAProviderThatCannotExtend_withoutAnAnswer_losesTheLease() {
        AtomicBoolean away = new AtomicBoolean();
        SimpleLock plain = () -> {
            if (away.get()) {
                throw new IllegalStateException("not answered");
            }
        };
        Lease lease = new ShedLockLeaseProvider(configuration -> Optional.of(plain), clock)
                .acquire(NAME, MINUTE)
                .orElseThrow();
        away.set(true);

        assertThat(lease.extend(MINUTE)).as("it may be free by now").isEmpty();
    }

    @Test
    void renewalByAProviderThatCannotExtend_freedButNotTakenAgain_losesTheLease() {
        SimpleLock plain = () -> calls.add("unlock");
        Lease lease = new ShedLockLeaseProvider(
                        configuration -> {
                            if (!calls.isEmpty()) {
                                throw new IllegalStateException("not answered");
                            }
                            return Optional.of(plain);
                        },
                        clock)
                .acquire(NAME, MINUTE)
                .orElseThrow();

        assertThat(lease.extend(MINUTE)).isEmpty();
        assertThat(calls).containsExactly("unlock");
    }

    @Test
    void providerThatCannotExtend_freesAndTakesAgain() {
        SimpleLock plain = () -> calls.add("unlock");
        LeaseProvider leases = new ShedLockLeaseProvider(
                configuration -> {
                    calls.add("lock");
                    return Optional.of(plain);
                },
                clock);

        assertThat(leases.acquire(NAME, MINUTE).orElseThrow().extend(MINUTE)).isPresent();

        assertThat(calls).containsExactly("lock", "unlock", "lock");
    }
}
