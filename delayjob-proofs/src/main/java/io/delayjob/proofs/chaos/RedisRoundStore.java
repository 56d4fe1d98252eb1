package io.delayjob.proofs.chaos;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.RedisJobStoreBuilder;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.lettuce.core.AbstractRedisClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The namespace of a round in Redis. Each call opens its own client, because the servers may have changed. */
abstract class RedisRoundStore implements RoundStore {

    /** If there is more than one slot, calls are divided among several scripts. */
    static final int SLOTS = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String namespace;

    RedisRoundStore(String namespace) {
        this.namespace = namespace;
    }

    final String namespace() {
        return namespace;
    }

    record Client(AbstractRedisClient client, RedisJobStoreBuilder builder) implements AutoCloseable {

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    abstract Client client();

    private <T> T read(Function<RedisJobStore, T> reading) {
        try (Client client = client();
                RedisJobStore store = client.builder()
                        .namespace(namespace)
                        .slots(SLOTS)
                        .timeout(PATIENCE)
                        .build()) {
            return reading.apply(store);
        }
    }

    @Override
    public final long unfinished() {
        return read(store -> sum(store.counts(Instant.EPOCH), false));
    }

    @Override
    public final long ended() {
        return read(store -> sum(store.counts(Instant.EPOCH), true));
    }

    @Override
    public final long progress() {
        return ended();
    }

    private static long sum(JobCounts counts, boolean ended) {
        return Arrays.stream(JobState.values())
                .filter(state -> state.isEnded() == ended)
                .mapToLong(counts::in)
                .sum();
    }

    @Override
    public final List<Row> rows() {
        return read(store -> {
            List<Row> rows = new ArrayList<>();
            JobQuery query = JobQuery.all().limit(JobQuery.MAX_LIMIT);
            JobPage page = store.find(query, Instant.EPOCH);
            while (page.next() != null) {
                page.forEach(job -> rows.add(row(job)));
                page = store.find(query.after(page.next()), Instant.EPOCH);
            }
            page.forEach(job -> rows.add(row(job)));
            return rows;
        });
    }

    private static Row row(Job job) {
        return new Row(job.id(), job.state(), job.key(), job.partition().index());
    }

    @Override
    public final List<Accepted> accepted(List<Row> rows) {
        return read(store -> {
            List<Accepted> accepted = new ArrayList<>();
            for (Row row : rows) {
                for (AttemptRecord attempt : store.attempts(row.job(), JobQuery.MAX_LIMIT)) {
                    accepted.add(new Accepted(row.job(), attempt.run(), attempt.attempt(), attempt.outcome()));
                }
            }
            return accepted;
        });
    }

    @Override
    public final Set<Long> committed() {
        return Set.of();
    }

    @Override
    public final List<Effect> effects() {
        return List.of();
    }

    @Override
    public final void close() {
        // The next round empties the servers.
    }
}
