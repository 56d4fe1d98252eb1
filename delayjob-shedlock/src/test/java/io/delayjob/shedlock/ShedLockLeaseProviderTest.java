package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

class ShedLockLeaseProviderTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String NAME = "delayjob-default-p0";

    private final EngineClock clock = StoreClock.ofThisMachine();
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
    void lock_getsTheEnginesTime() {
        List<LockConfiguration> asked = new ArrayList<>();
        long before = clock.storeMillis();

        new ShedLockLeaseProvider(
                        configuration -> {
                            asked.add(configuration);
                            return Optional.empty();
                        },
                        clock)
                .acquire(NAME, MINUTE);

        assertThat(asked).singleElement().satisfies(configuration -> {
            assertThat(configuration.getName()).isEqualTo(NAME);
            assertThat(configuration.getLockAtMostFor()).isEqualTo(MINUTE);
            assertThat(configuration.getLockAtLeastFor()).isEqualTo(Duration.ZERO);
            assertThat(configuration.getLockAtMostUntil().toEpochMilli())
                    .isBetween(before + MINUTE.toMillis(), clock.storeMillis() + MINUTE.toMillis());
        });
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
