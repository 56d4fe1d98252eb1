package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old history whose indexes or rows are not as this version writes them. */
@Timeout(60)
class RedisRetentionTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofDays(8));
    private static final Duration KEPT = Duration.ofDays(90);
    private static final Partition PARTITION = new Partition("default", 0);
    private static final int SLOTS = 4;

    private final Random random = new Random(1);
    private final String namespace = TestRedis.namespace();
    private final Keyspace keys = new Keyspace(namespace, SLOTS);
    private final StatefulRedisConnection<String, byte[]> connection = TestRedis.client()
            .connect(RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE));
    private final RedisCommands<String, byte[]> redis = connection.sync();
    private final RedisJobStore store = RedisJobStore.builder(TestRedis.client())
            .slots(SLOTS)
            .namespace(namespace)
            .build();

    @AfterEach
    void close() {
        store.close();
        connection.close();
    }

    private NewJob waiting(JobTask task) {
        NewJob job = new NewJob(
                JobId.create(NOW.toEpochMilli(), random),
                PARTITION,
                task,
                JobPlan.once(NOW, NOW),
                OnExisting.KEEP,
                random.nextLong());
        store.submit(List.of(job), DueSink.NONE);
        return job;
    }

    private Job finished(JobExtras extras) {
        NewJob job = waiting(JobTask.of("load").withExtras(extras.toText()));
        Job claimed =
                store.claim(List.of(job.toDueRow()), 1, random.nextLong(), NOW).get(0);
        store.complete(List.of(new Completion(
                claimed,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                random.nextLong(),
                NOW,
                null,
                true,
                List.of())));
        return store.find(job.id()).orElseThrow();
    }

    private List<Job> finished(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> finished(JobExtras.NONE))
                .sorted(Comparator.comparing(job -> keys.slotOf(job.id())))
                .toList();
    }

    private void addToFinished(JobId id, int second) {
        redis.zadd(
                keys.ended(keys.slotOf(id), JobState.FINISHED),
                NOW.plusSeconds(second).toEpochMilli(),
                Bytes.of(Keyspace.member(id)));
    }

    /** Moves a job to the index in which an instance of an earlier version puts it. */
    private void moveToFinished(Job job, int second) {
        byte[] member = Bytes.of(Keyspace.member(job.id()));
        int slot = keys.slotOf(job.id());
        assertThat(redis.zrem(keys.kept(slot), member)).isEqualTo(1);
        assertThat(redis.zrem(keys.keptUntil(slot), member)).isEqualTo(1);
        addToFinished(job.id(), second);
    }

    private long indexed() {
        return IntStream.range(0, SLOTS)
                .mapToLong(slot -> redis.zcard(keys.ended(slot, JobState.FINISHED)))
                .sum();
    }

    @Test
    void jobsThatAreKeptForLonger_butStandAmongOthers_delayNoDeletion_andAreDeletedAfterTheirOwnTime() {
        List<Job> longer = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            longer.add(finished(JobExtras.NONE.withKeepFor(KEPT)));
            moveToFinished(longer.get(i), -i);
        }
        List<Job> usual = finished(8);

        assertThat(store.purgeHistory(JobState.FINISHED, LATER, 3)).isEqualTo(3);
        assertThat(store.purgeHistory(JobState.FINISHED, LATER, 100)).isEqualTo(5);

        assertThat(usual).allMatch(job -> store.find(job.id()).isEmpty());
        assertThat(longer).allMatch(job -> store.find(job.id()).equals(Optional.of(job)));
        assertThat(indexed()).isZero();
        assertThat(store.counts(NOW).in(JobState.FINISHED)).isEqualTo(20);
        assertThat(store.purgeKept(NOW.plus(KEPT), 100)).isZero();
        assertThat(store.purgeKept(NOW.plus(KEPT).plusMillis(1), 100)).isEqualTo(20);
    }

    @Test
    void unfinishedJob_thatStandsAmongFinishedOnes_leavesThem_andStaysWaiting() {
        NewJob waiting = waiting(JobTask.of("load").withKey("key"));
        addToFinished(waiting.id(), 0);

        assertThat(store.purgeHistory(JobState.FINISHED, LATER, 1)).isZero();

        assertThat(indexed()).isZero();
        assertThat(store.find(waiting.id())).contains(waiting.toJob());
        assertThat(store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 10)
                        .rows())
                .containsExactly(waiting.toDueRow());
    }

    @Test
    void rowThatCannotBeRead_keepsNoOtherFromBeingDeleted_andItsKeyMayBeDeleted() {
        List<Job> jobs = finished(20);
        Job broken = jobs.get(0);
        String key = keys.row(broken.id());
        redis.setrange(key, 0, new byte[] {99});

        assertThatThrownBy(() -> store.purgeHistory(JobState.FINISHED, LATER, 100))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isFalse())
                .hasMessageContaining(broken.id().toString());

        assertThat(jobs.subList(1, jobs.size())).allMatch(job -> redis.exists(keys.row(job.id())) == 0);
        Job other = finished(1).get(0);
        assertThatThrownBy(() -> store.purgeHistory(JobState.FINISHED, LATER, 1))
                .isInstanceOf(StoreException.class);
        assertThat(redis.exists(keys.row(other.id()))).isZero();
        redis.del(key);
        assertThat(store.purgeHistory(JobState.FINISHED, LATER, 1)).isZero();
        assertThat(indexed()).isZero();
    }
}
