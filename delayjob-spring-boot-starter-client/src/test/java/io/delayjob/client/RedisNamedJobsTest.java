package io.delayjob.client;

import io.delayjob.NamedJobs;
import io.delayjob.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same over HTTP, from a server that keeps its jobs in several slots of Redis. */
class RedisNamedJobsTest extends NamedJobsContract {

    private static JobServer server;

    private NamedJobs jobs;

    @BeforeAll
    static void start() {
        server = new JobServer(
                "delayjob.store=redis",
                "delayjob.redis.slots=16",
                "delayjob.redis.namespace=" + TestRedis.namespace(),
                "spring.data.redis.port=" + TestRedis.uri().getPort());
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    JobServer server() {
        return server;
    }

    @Override
    NamedJobs jobs() {
        if (jobs == null) {
            RemoteNamedJobsTest.client(server.url(), context -> jobs = context.getBean(NamedJobs.class));
        }
        return jobs;
    }
}
