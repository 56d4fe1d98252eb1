package io.delayjob.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One Redis for all tests of this JVM, started at the first use. Each test takes a namespace of its own. Thread-safe.
 */
public final class TestRedis {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private TestRedis() {}

    private static final class Server {
        private static final TestRedisServer RUNNING = TestRedisServer.start();
        private static final RedisClient CLIENT = RedisClient.create(RUNNING.uri());
    }

    /** Returns the address of the server. */
    public static RedisURI uri() {
        return Server.RUNNING.uri();
    }

    /** Returns a client of the server, which all tests share. */
    public static RedisClient client() {
        return Server.CLIENT;
    }

    /** Returns a namespace that no test has used. */
    public static String namespace() {
        return "test-" + NAMESPACES.incrementAndGet();
    }
}
