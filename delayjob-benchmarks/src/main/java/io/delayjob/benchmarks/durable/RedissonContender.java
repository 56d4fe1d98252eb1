package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Measures Redisson's delayed queue. It removes a job from Redis before the job runs, so a crash loses the job. */
@SuppressWarnings("deprecation") // this is the queue that its users have
record RedissonContender() implements RedisContender {

    private static final String QUEUE = "benchmark";
    private static final int THREADS = 16;
    private static final int AT_ONCE = 1_000;

    @Override
    public String configuration() {
        return "RDelayedQueue: %,d calls under way at once, %d threads take jobs; no acknowledgement, no history"
                .formatted(AT_ONCE, THREADS);
    }

    @Override
    public Instance open(RedisURI server) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://%s:%d".formatted(server.getHost(), server.getPort()));
        return new Running(Redisson.create(config));
    }

    private static final class Running implements Instance {

        private final RedissonClient client;
        private final RBlockingQueue<String> due;
        private final RDelayedQueue<String> delayed;
        private final ExecutorService takers = Executors.newFixedThreadPool(THREADS);
        private int written;

        Running(RedissonClient client) {
            this.client = client;
            this.due = client.getBlockingQueue(QUEUE);
            this.delayed = client.getDelayedQueue(due);
        }

        @Override
        public void write(int count, Duration delay) throws Exception {
            for (int from = 0; from < count; from += AT_ONCE) {
                List<RFuture<Void>> calls = new ArrayList<>();
                for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
                    calls.add(delayed.offerAsync("job-" + written++, delay.toMillis(), TimeUnit.MILLISECONDS));
                }
                for (RFuture<Void> call : calls) {
                    call.get();
                }
            }
        }

        @Override
        public long drain(int count, Duration patience) throws InterruptedException {
            LongAdder starts = new LongAdder();
            CountDownLatch left = new CountDownLatch(count);
            for (int i = 0; i < THREADS; i++) {
                takers.execute(() -> take(starts, left));
            }
            if (!left.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "%d of %d jobs have not ended within %s.".formatted(left.getCount(), count, patience));
            }
            return starts.sum();
        }

        private void take(LongAdder starts, CountDownLatch left) {
            try {
                while (left.getCount() > 0) {
                    if (due.poll(1, TimeUnit.SECONDS) != null) {
                        starts.increment();
                        left.countDown();
                    }
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            takers.shutdownNow();
            delayed.destroy();
            client.shutdown();
        }
    }
}
