package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MemoryLeaseProviderTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    private final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryLeaseProvider leases = new MemoryLeaseProvider(clock);

    @Test
    void lease_isHeldByOneAtATime() {
        assertThat(leases.acquire("p0", TEN)).isPresent();
        assertThat(leases.acquire("p0", TEN)).isEmpty();
        assertThat(leases.acquire("p1", TEN)).isPresent();
    }

    @Test
    void lease_endsByItself() {
        leases.acquire("p0", TEN);

        clock.advance(TEN.minusNanos(1));
        assertThat(leases.acquire("p0", TEN)).isEmpty();
        clock.advance(Duration.ofNanos(1));
        assertThat(leases.acquire("p0", TEN)).isPresent();
    }

    @Test
    void lease_extendedLastsFromNow() {
        Lease lease = leases.acquire("p0", TEN).orElseThrow();
        clock.advance(Duration.ofSeconds(9));

        assertThat(lease.extend(TEN)).isPresent();

        clock.advance(Duration.ofSeconds(9));
        assertThat(leases.acquire("p0", TEN)).isEmpty();
    }

    @Test
    void lease_thatEndedCannotBeExtendedEvenIfNobodyTookIt() {
        Lease lease = leases.acquire("p0", TEN).orElseThrow();
        clock.advance(TEN);

        assertThat(lease.extend(TEN)).isEmpty();
    }

    @Test
    void lease_thatAnotherHoldsCanNeitherBeExtendedNorReleased() {
        Lease lost = leases.acquire("p0", TEN).orElseThrow();
        clock.advance(TEN);
        leases.acquire("p0", TEN);

        assertThat(lost.extend(TEN)).isEmpty();
        lost.release();
        assertThat(leases.acquire("p0", TEN)).isEmpty();
    }

    @Test
    void lease_releasedIsFreeAtOnce() {
        Lease lease = leases.acquire("p0", TEN).orElseThrow();

        lease.extend(TEN).orElseThrow().release();

        assertThat(leases.acquire("p0", TEN)).isPresent();
    }
}
