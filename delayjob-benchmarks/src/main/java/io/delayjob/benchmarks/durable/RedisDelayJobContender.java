package io.delayjob.benchmarks.durable;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.RedisJobStoreBuilder;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.time.StoreClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Measures delayjob with its default settings.
 *
 * @param history whether the history keeps finished jobs
 * @param atOnce number of jobs in one call; these jobs are all in one slot of the store
 */
record RedisDelayJobContender(boolean history, int atOnce) implements RedisContender {

    private static final String JOB = "no-op";

    static Map<String, RedisDelayJobContender> all(int atOnce) {
        Map<String, RedisDelayJobContender> all = new LinkedHashMap<>();
        all.put("delayjob", new RedisDelayJobContender(true, atOnce));
        all.put("delayjob-without-history", new RedisDelayJobContender(false, atOnce));
        return all;
    }

    @Override
    public String configuration() {
        return "defaults: 1 slot, or 16 on a cluster, 16 handlers at a time, finished jobs %s; written %s"
                .formatted(
                        history ? "kept" : "not kept",
                        atOnce == 1 ? "one by one" : "by withEach, %,d in a call".formatted(atOnce));
    }

    @Override
    public Instance open(RedisURI server) {
        return open(server, Contender.Work.NONE);
    }

    Running open(RedisURI server, Contender.Work work) {
        LettuceConnectionFactory connections = started(
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(server.getHost(), server.getPort())));
        RedisJobStoreBuilder store = RedisJobStore.builder((RedisClient) connections.getRequiredNativeClient());
        return new Running(this, connections, store.build(), work);
    }

    Instance openOnCluster(List<RedisURI> masters) {
        RedisClusterConfiguration cluster = new RedisClusterConfiguration();
        masters.forEach(master -> cluster.clusterNode(master.getHost(), master.getPort()));
        LettuceConnectionFactory connections = started(new LettuceConnectionFactory(cluster));
        RedisJobStoreBuilder store = RedisJobStore.builder((RedisClusterClient) connections.getRequiredNativeClient());
        return new Running(this, connections, store.build(), Contender.Work.NONE);
    }

    private static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    static final class Running implements Instance {

        private final int atOnce;

        private final LettuceConnectionFactory connections;
        private final EngineThreads threads = new EngineThreads();
        private final LongAdder starts = new LongAdder();
        private final RedisJobStore store;
        private final DelayJobEngine engine;
        private volatile CountDownLatch ends = new CountDownLatch(0);

        private Running(
                RedisDelayJobContender contender,
                LettuceConnectionFactory connections,
                RedisJobStore store,
                Contender.Work work) {
            this.atOnce = contender.atOnce;
            this.connections = connections;
            this.store = store;
            EngineSettings.Builder settings = EngineSettings.defaults("benchmark#1").toBuilder();
            if (!contender.history) {
                settings.history(
                        new HistorySettings(Duration.ZERO, Duration.ZERO, Duration.ofDays(30), Duration.ofDays(7)));
            }
            StoreClock clock = new StoreClock(store::clockMicros);
            HandlerRegistry registry = new HandlerRegistry();
            registry.register(Handler.named(JOB)
                    .method(new HandlerMethod(DelayJobContender.NoOp.class, "run", "(Ljava/lang/Integer;)V"))
                    .parameters(new PayloadParameter("number", Integer.class, true))
                    .calls((arguments, job) -> {
                        starts.increment();
                        work.run(job.dueAt());
                        return null;
                    }));
            JobListener listener = new JobListener() {
                @Override
                public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                    ends.countDown();
                    work.ended();
                }
            };
            engine = DelayJobEngine.builder(settings.build(), store)
                    .leases(new ShedLockLeaseProvider(
                            new RedisLockProvider.Builder(connections)
                                    .safeUpdate(true)
                                    .build(),
                            clock))
                    .handlers(registry)
                    .codec(new NoPayloads())
                    .clock(clock)
                    .agents(threads)
                    .workers(threads.workers())
                    .random(new EngineRandom())
                    .listeners(new JobListeners(List.of(listener)))
                    .build();
        }

        void start() {
            engine.start();
        }

        void schedule(Duration delay) {
            engine.operations().schedule(JOB).after(delay);
        }

        @Override
        public void write(int count, Duration delay) {
            for (int written = 0; written < count; written += atOnce) {
                engine.operations()
                        .schedule(DelayJobContender.NoOp::run)
                        .withEach(IntStream.range(0, Math.min(atOnce, count - written))
                                .boxed()
                                .toList())
                        .after(delay);
            }
        }

        @Override
        public long drain(int count, Duration patience) throws InterruptedException {
            ends = new CountDownLatch(count);
            start();
            if (!ends.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "%d of %d jobs have not ended within %s.".formatted(ends.getCount(), count, patience));
            }
            return starts.sum();
        }

        @Override
        public void close() {
            engine.stop();
            threads.close();
            store.close();
            connections.destroy();
        }
    }
}
