package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.JobQuery;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One row of many cannot be read, for example because somebody has edited it. */
@Isolated("it reads what the whole JVM logs")
class RedisUnreadableRowTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);
    private static final int LAYOUT_AT = 0;

    private final Random random = new Random(1);
    private final String namespace = TestRedis.namespace();
    private final Keyspace keys = new Keyspace(namespace, 1);
    private final StatefulRedisConnection<String, byte[]> connection = TestRedis.client()
            .connect(RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE));
    private final RedisCommands<String, byte[]> redis = connection.sync();
    private final RedisJobStore store =
            RedisJobStore.builder(TestRedis.client()).namespace(namespace).build();

    @AfterEach
    void close() {
        store.close();
        connection.close();
    }

    private List<NewJob> submitted(int count) {
        List<NewJob> jobs = IntStream.range(0, count)
                .mapToObj(i -> new NewJob(
                        JobId.create(NOW.toEpochMilli(), random),
                        PARTITION,
                        JobTask.of("mail"),
                        JobPlan.once(NOW, NOW),
                        OnExisting.KEEP,
                        random.nextLong()))
                .toList();
        store.submit(jobs, DueSink.NONE);
        return jobs;
    }

    private List<Job> claimed(List<NewJob> jobs) {
        return store.claim(jobs.stream().map(NewJob::toDueRow).toList(), 1, 42, NOW);
    }

    /** Makes one of these rows unreadable, and returns the ids of the others. */
    private List<JobId> spoil(List<JobId> ids, int at) {
        List<JobId> others = new ArrayList<>(ids);
        redis.setrange(keys.row(others.remove(ids.size() / 2)), at, new byte[] {99});
        return others;
    }

    private static List<PartitionCursor> start() {
        return List.of(PartitionCursor.start(PARTITION));
    }

    @ParameterizedTest
    @ValueSource(ints = {LAYOUT_AT, RowHead.STATE_AT})
    void dueRowThatCannotBeRead_keepsNoOtherRowFromBeingFound(int at) {
        List<JobId> others = spoil(submitted(20).stream().map(NewJob::id).toList(), at);

        assertThat(store.dueAfter(start(), NOW, 100).rows())
                .extracting(DueRow::id)
                .containsExactlyInAnyOrderElementsOf(others);
        assertThat(store.overdue(start(), NOW, Set.of("mail"), 100, 100).rows())
                .extracting(DueRow::id)
                .containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void runningRowThatCannotBeRead_keepsNoOtherRowFromBeingFoundAsLost() {
        List<NewJob> jobs = submitted(20);
        claimed(jobs);
        List<JobId> others = spoil(jobs.stream().map(NewJob::id).toList(), LAYOUT_AT);

        assertThat(store.claimedByOthers(start(), NOW, Set.of(), 100).rows())
                .extracting(found -> found.row().id())
                .containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void unreadableRow_isLoggedOnceWithItsIdAndTheReason() {
        JobId broken = submitted(1).get(0).id();
        spoil(List.of(broken), LAYOUT_AT);

        List<String> lines = logged(() -> {
            store.dueAfter(start(), NOW, 100);
            store.overdue(start(), NOW, Set.of("mail"), 100, 100);
        });

        assertThat(lines).singleElement().asString().contains("WARN", broken.toString(), "layout 99");
    }

    @Test
    void manyUnreadableRows_areNotAllLogged() {
        List<NewJob> jobs = submitted(2 * UnreadableRows.MAX_LOGGED);
        jobs.forEach(job -> spoil(List.of(job.id()), LAYOUT_AT));

        List<String> lines = logged(() -> store.dueAfter(start(), NOW, jobs.size()));

        assertThat(lines).hasSize(UnreadableRows.MAX_LOGGED);
    }

    @Test
    void readThatTheServerRefuses_isAnErrorAndNoEmptyList() {
        JobId id = submitted(1).get(0).id();
        redis.del(keys.row(id));
        redis.sadd(keys.row(id), new byte[] {1});

        assertThatThrownBy(() -> store.find(JobQuery.state(JobState.DELAYED), NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("WRONGTYPE");
    }

    @Test
    void jobThatCannotBeRead_keepsNoOtherJobFromBeingShown() {
        List<NewJob> jobs = submitted(20);
        List<Job> running = claimed(jobs);
        store.complete(running.stream().map(RedisUnreadableRowTest::failed).toList());
        List<JobId> others = spoil(jobs.stream().map(NewJob::id).toList(), LAYOUT_AT);

        List<String> lines = logged(() -> assertThat(
                        store.find(JobQuery.state(JobState.FAILED), NOW).jobs())
                .extracting(Job::id)
                .containsExactlyInAnyOrderElementsOf(others));
        assertThat(lines).singleElement().asString().contains("WARN", "layout 99", "no list shows it");
        FailureGroups.Span span =
                new FailureGroups.Span(NOW.minus(Duration.ofHours(1)), NOW.plus(Duration.ofHours(1)), 10);
        assertThat(store.failures(span).lookedAt()).isEqualTo(19);
        assertThatThrownBy(() -> jobs.forEach(job -> store.find(job.id())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("layout 99");
    }

    @Test
    void jobThatCannotBeRead_isNotCounted_andTheOthersAre() {
        List<NewJob> jobs = submitted(20);
        spoil(jobs.stream().map(NewJob::id).toList(), LAYOUT_AT);

        DueCounts counts = store.due(new DueSpan(NOW, Duration.ofHours(1), 1));

        assertThat(counts.byName()).containsEntry("mail", List.of(19L));
    }

    /** A permanent exception would tell the engine that no outcome was written. */
    @Test
    void outcomeBesideARowThatCannotBeRead_isWritten_andTheExceptionIsTransient() {
        List<Job> running = claimed(submitted(2));
        List<JobId> other = spoil(running.stream().map(Job::id).toList(), LAYOUT_AT);
        List<Completion> batch =
                running.stream().map(RedisUnreadableRowTest::left).toList();

        assertRefused(() -> store.complete(batch), true);

        assertThat(store.find(other.get(0))).isEmpty();
        assertRefused(() -> store.complete(batch), false);
    }

    private static void assertRefused(ThrowingCallable call, boolean isTransient) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isEqualTo(isTransient));
    }

    private static Completion left(Job job) {
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                44,
                NOW,
                null,
                false,
                List.of());
    }

    private static Completion failed(Job job) {
        Failure failure = Failure.of("Broken", "broken");
        return new Completion(
                job,
                new JobOutcome.Failed(failure, true),
                new Transition.Ended(JobState.FAILED),
                43,
                NOW,
                failure,
                true,
                List.of());
    }

    private static List<String> logged(Runnable work) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setErr(before);
        }
        return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
