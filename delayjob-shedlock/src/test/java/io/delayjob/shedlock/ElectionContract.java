package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.lease.Lease;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

/**
 * Tests leases on a server other than the database, by a lock provider of ShedLock.
 *
 * @param <C> a connection to the server
 */
abstract class ElectionContract<C> {

    static final Duration NEVER = Duration.ofHours(1);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final String NAME = "delayjob-abcdefgh-default-p0";

    abstract C connect();

    abstract LockProvider locks(C connection);

    /** Closes a connection while its instance runs. */
    abstract void cut(C connection);

    abstract void stopServer() throws Exception;

    abstract void startServerAgain() throws Exception;

    @Test
    void instanceThatLosesItsConnection_isFollowedByTheOther() {
        try (Instances instances = new Instances(NEVER)) {
            C lost = connect();
            Instances.Instance one = instances.join("one", locks(lost));
            Instances.Instance two = instances.join("two", locks(connect()));
            instances.awaitHalves();
            instances.scheduleFor(Duration.ofSeconds(2));

            cut(lost);

            one.awaitLed(0);
            two.awaitLed(Instances.PARTITIONS);
            instances.awaitEachJobOnce();
        }
    }

    @Test
    void whileTheServerIsAway_jobsAreAdopted_andLeadersReturnWithIt() throws Exception {
        try (Instances instances = new Instances(Duration.ofMillis(500))) {
            Instances.Instance one = instances.join("one", locks(connect()));
            Instances.Instance two = instances.join("two", locks(connect()));
            instances.awaitHalves();
            instances.scheduleFor(Duration.ofSeconds(2));

            stopServer();

            one.awaitLed(0);
            two.awaitLed(0);
            instances.awaitEachJobOnce();
            startServerAgain();
            instances.awaitHalves();
        }
    }

    @Test
    void leaseOfAPausedInstance_leavesTheLockToItsNextHolder() {
        assertPausedHolderLeavesTheLock(locks(connect()), locks(connect()));
    }

    static void assertPausedHolderLeavesTheLock(LockProvider locksOfPaused, LockProvider locksOfOther) {
        Duration second = Duration.ofSeconds(1);
        ShedLockLeaseProvider paused = new ShedLockLeaseProvider(locksOfPaused, StoreClock.ofThisMachine());
        ShedLockLeaseProvider other = new ShedLockLeaseProvider(locksOfOther, StoreClock.ofThisMachine());
        Lease outlived = paused.acquire(NAME, second).orElseThrow();
        Lease next = await().atMost(Duration.ofSeconds(20))
                .until(() -> other.acquire(NAME, MINUTE), Optional::isPresent)
                .orElseThrow();

        assertThat(outlived.extend(second)).isEmpty();
        outlived.release();

        assertThat(paused.acquire(NAME, second)).as("held by the other").isEmpty();
        assertThat(next.extend(MINUTE)).isPresent();
    }
}
