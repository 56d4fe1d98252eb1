package io.delayjob.redis;

import io.delayjob.DelayJobEngine;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.jdbc.TestNumberCodec;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.test.MemoryLeaseProvider;
import io.delayjob.time.StoreClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A process that runs members of a group, and the job that follows it, until it is killed. Finished jobs leave no row,
 * so no row can prevent that the job is written again.
 */
final class RedisGroupWorker {

    static final String MEMBER = "member";
    static final String DONE = "done";
    static final int MEMBERS = 3_000;
    private static final int SLOTS = 16;

    /** The ids of the members that were called. */
    static final String CALLED = "ledger:called";

    /** The number of first attempts of the job that follows. */
    static final String FIRST_ATTEMPTS = "ledger:first-attempts";

    /** The number of attempts of this job that began before all members were called. */
    static final String EARLY = "ledger:early";

    private RedisGroupWorker() {}

    /** @param arguments URL of the server, name of the instance */
    public static void main(String[] arguments) throws InterruptedException {
        RedisClient client = RedisClient.create(arguments[0]);
        RedisCommands<String, String> ledger = client.connect().sync();
        Handler member = Handler.named(MEMBER).concurrency(8).calls((payload, job) -> {
            ledger.sadd(CALLED, job.id().toString());
            return null;
        });
        Handler done = Handler.named(DONE).calls((payload, job) -> {
            if (ledger.scard(CALLED) < MEMBERS) {
                ledger.incr(EARLY);
            }
            if (job.attempt() == 1) {
                ledger.incr(FIRST_ATTEMPTS);
            }
            return null;
        });
        engine(client, arguments[1], member, done).start();
        new CountDownLatch(1).await();
    }

    /** Returns an engine that does not run yet, in the store that all processes use. */
    static DelayJobEngine engine(RedisClient client, String name, Handler... handlers) {
        RedisJobStore store = RedisJobStore.builder(client).slots(SLOTS).build();
        HandlerRegistry registry = new HandlerRegistry();
        for (Handler handler : handlers) {
            registry.register(handler);
        }
        StoreClock clock = new StoreClock(store::clockMicros);
        EngineThreads threads = new EngineThreads();
        EngineSettings settings = EngineSettings.defaults(name + "#1").toBuilder()
                .liveness(Duration.ofSeconds(4))
                .heartbeat(Duration.ofMillis(800))
                .leaseDuration(Duration.ofSeconds(4))
                .history(new HistorySettings(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO))
                .build();
        return DelayJobEngine.builder(settings, store)
                // Each process leads all partitions. This costs claims in vain, and no more.
                .leases(new MemoryLeaseProvider(clock))
                .handlers(registry)
                .codec(new TestNumberCodec())
                .clock(clock)
                .agents(threads)
                .workers(threads.workers())
                .random(new EngineRandom())
                .build();
    }
}
