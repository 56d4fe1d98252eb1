package io.delayjob.shedlock;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** Tests leases in ZooKeeper by ShedLock's provider for Curator, which cannot extend a lock. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperLeasesTest extends ElectionContract<CuratorFramework> {

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

    @Override
    CuratorFramework connect() {
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

    @Override
    LockProvider locks(CuratorFramework client) {
        return new ZookeeperCuratorLockProvider(client);
    }

    @Override
    void cut(CuratorFramework client) {
        client.close();
    }

    @Override
    void stopServer() throws Exception {
        server.stop();
    }

    @Override
    void startServerAgain() throws Exception {
        server.restart();
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
}
