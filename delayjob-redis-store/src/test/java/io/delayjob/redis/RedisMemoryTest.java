package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.DueSink;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The memory of waiting jobs, in bytes a job. The guide to Redis gives these figures for sizing. How much memory a
 * server takes depends on its allocator, so the bounds leave a margin of some 25 bytes.
 */
class RedisMemoryTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final int JOBS = 20_000;
    private static final int PARTITIONS = 8;
    private static final String PAYLOAD = "x".repeat(40);

    private final Random random = new Random(1);

    @ParameterizedTest(name = "{0} jobs in each call, with a key: {1}")
    @CsvSource({"500, false, 420", "1, false, 420", "500, true, 540"})
    void waitingJob_takesAtMost(int together, boolean keyed, long bound) {
        try (TestRedisServer server = TestRedisServer.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try (RedisJobStore store = RedisJobStore.builder(client).build()) {
                RedisCommands<String, String> redis = client.connect().sync();
                store.submit(jobs(0, together, keyed), DueSink.NONE);
                long before = usedMemory(redis);

                for (int submitted = 0; submitted < JOBS; submitted += together) {
                    store.submit(jobs(submitted + together, together, keyed), DueSink.NONE);
                }

                assertThat((usedMemory(redis) - before) / JOBS).isBetween(250L, bound);
            }
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    /** Returns jobs with a payload of 40 bytes, and with keys of 9 bytes if they have keys. */
    private List<NewJob> jobs(int first, int count, boolean keyed) {
        Instant made = NOW.plusMillis(first);
        List<NewJob> jobs = new ArrayList<>();
        for (JobId id : JobId.createAscending(made.toEpochMilli(), count, random)) {
            int number = first + jobs.size();
            jobs.add(new NewJob(
                    id,
                    new Partition("default", number % PARTITIONS),
                    new JobTask("send-letter", key(number, keyed), PAYLOAD, null, null),
                    JobPlan.once(made, made.plus(Duration.ofDays(1))),
                    OnExisting.KEEP,
                    random.nextLong()));
        }
        return jobs;
    }

    private static @Nullable String key(int number, boolean keyed) {
        return keyed ? "key-%05d".formatted(number) : null;
    }

    private static long usedMemory(RedisCommands<String, String> redis) {
        String memory = redis.info("memory");
        return Long.parseLong(memory.replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
    }
}
