package io.delayjob.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.delayjob.lease.Lease;
import io.delayjob.time.StoreClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.function.SingletonSupplier;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** Tests leases in Redis by ShedLock's provider for Spring Data Redis. The Redis server is a real server from a jar. */
@Execution(ExecutionMode.CONCURRENT)
class RedisLeasesTest extends ElectionContract<LettuceConnectionFactory> {

    /**
     * The program file of the server, which is written only once. If each test wrote its own file, a process that
     * another test starts meanwhile would inherit the open file. Then Linux would refuse to run it ("text file busy").
     */
    private static final Supplier<File> PROGRAM = SingletonSupplier.of(RedisLeasesTest::program);

    private final List<LettuceConnectionFactory> connections = new ArrayList<>();
    private final int port = freePort();
    private RedisServer server;

    @BeforeEach
    void start() throws IOException {
        try {
            server = serve();
        } catch (IOException | RuntimeException unfit) {
            if (Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"))) {
                throw unfit;
            }
            assumeThat(false).as("Redis cannot be started here: %s", unfit).isTrue();
        }
    }

    @AfterEach
    void stop() throws IOException {
        connections.forEach(LettuceConnectionFactory::destroy);
        if (server != null) {
            server.stop();
        }
    }

    private static File program() {
        try {
            return ExecutableProvider.newJarResourceProvider().get();
        } catch (IOException unfit) {
            throw new UncheckedIOException(unfit);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Starts a server that writes no data to disk. */
    private RedisServer serve() throws IOException {
        RedisServer started = RedisServer.newRedisServer()
                .executableProvider(PROGRAM::get)
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        started.start();
        return started;
    }

    @Override
    LettuceConnectionFactory connect() {
        LettuceConnectionFactory connection = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofMillis(500))
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        connections.add(connection);
        connection.afterPropertiesSet();
        connection.start();
        return connection;
    }

    @Override
    LockProvider locks(LettuceConnectionFactory connection) {
        return new RedisLockProvider.Builder(connection).safeUpdate(true).build();
    }

    @Override
    void cut(LettuceConnectionFactory connection) {
        connection.stop();
    }

    @Override
    void stopServer() throws IOException {
        server.stop();
    }

    @Override
    void startServerAgain() throws IOException {
        server = serve();
    }

    private <T> T ask(Function<StatefulRedisConnection<String, String>, T> question) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ZERO);
        }
    }

    @Test
    void serverThatHasForgottenAllKeys_isAskedAgain_andEachJobRunsOnce() {
        try (Instances instances = new Instances(NEVER)) {
            instances.join("one", locks(connect()));
            instances.join("two", locks(connect()));
            instances.awaitHalves();
            instances.scheduleFor(Duration.ofSeconds(2));
            instances.awaitCalls(20);

            ask(redis -> redis.sync().flushall());

            instances.awaitEachJobOnce();
            instances.awaitHalves();
        }
    }

    @Test
    void leaseOfAPausedInstance_leavesTheLockToItsNextHolder_evenIfTheProviderDoesNotLookAtTheHolder() {
        assertPausedHolderLeavesTheLock(new RedisLockProvider(connect()), new RedisLockProvider(connect()));
    }

    @Test
    void lease_lastsItsDuration_howeverFarTheStoresClockIsOff() {
        StoreClock anHourBehind = new StoreClock(() -> StoreClock.wallMicros() - 3_600_000_000L);
        StoreClock anHourAhead = new StoreClock(() -> StoreClock.wallMicros() + 3_600_000_000L);

        for (StoreClock clock : List.of(anHourBehind, anHourAhead)) {
            Lease lease = new ShedLockLeaseProvider(locks(connect()), clock)
                    .acquire(NAME, MINUTE)
                    .orElseThrow();
            long left = ask(redis -> redis.sync().pttl("job-lock:default:" + NAME));
            assertThat(left).isBetween(30_000L, 60_000L);
            lease.release();
        }
    }
}
