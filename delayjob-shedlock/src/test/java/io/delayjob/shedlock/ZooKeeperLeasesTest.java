package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.lease.Lease;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** ZooKeeper elects the leaders, by ShedLock's provider for Curator, which cannot extend a lock. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperLeasesTest {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final String NAME = "delayjob-abcdefgh-default-p0";

    private final List<CuratorFramework> clients = new ArrayList<>();
    private TestingServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
    }

    @AfterEach
    void stop() throws Exception {
        clients.forEach(CuratorFramework::close);
        server.close();
    }

    private CuratorFramework connect() {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.getConnectString())
                .sessionTimeoutMs(2_000)
                .connectionTimeoutMs(500)
                .retryPolicy(new RetryOneTime(100))
                .build();
        clients.add(client);
        client.start();
        return client;
    }

    private static LockProvider locks(CuratorFramework client) {
        return new ZookeeperCuratorLockProvider(client);
    }

    @Test
    void expiredSession_isReplaced_andBothInstancesGoOnLeading() throws Exception {
        try (Instances instances = new Instances(NEVER)) {
            CuratorFramework client = connect();
            instances.join("one", locks(client));
            instances.join("two", locks(connect()));
            instances.awaitHalves();
            instances.scheduleFor(Duration.ofSeconds(2));
            long session = client.getZookeeperClient().getZooKeeper().getSessionId();

            client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();

            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> client.getZookeeperClient().getZooKeeper().getSessionId() != session);
            instances.awaitEachJobOnce();
            instances.awaitHalves();
        }
    }

    @Test
    void instanceThatLosesItsConnection_isFollowedByTheOther() {
        try (Instances instances = new Instances(NEVER)) {
            CuratorFramework cut = connect();
            Instances.Instance one = instances.join("one", locks(cut));
            Instances.Instance two = instances.join("two", locks(connect()));
            instances.awaitHalves();
            instances.scheduleFor(Duration.ofSeconds(2));

            cut.close();

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

            server.stop();

            one.awaitLed(0);
            two.awaitLed(0);
            instances.awaitEachJobOnce();
            server.restart();
            instances.awaitHalves();
        }
    }

    @Test
    void leaseOfAPausedInstance_leavesTheLockToItsNextHolder() {
        Duration second = Duration.ofSeconds(1);
        LockProvider locks = locks(connect());
        ShedLockLeaseProvider paused = new ShedLockLeaseProvider(locks, StoreClock.ofThisMachine());
        ShedLockLeaseProvider other = new ShedLockLeaseProvider(locks(connect()), StoreClock.ofThisMachine());
        Lease outlived = paused.acquire(NAME, second).orElseThrow();
        Lease next = await().atMost(Duration.ofSeconds(20))
                .until(() -> other.acquire(NAME, Duration.ofMinutes(1)), Optional::isPresent)
                .orElseThrow();

        assertThat(outlived.extend(second)).isEmpty();
        outlived.release();

        assertThat(paused.acquire(NAME, second)).as("held by the other").isEmpty();
        assertThat(next.extend(second)).isPresent();
    }
}
