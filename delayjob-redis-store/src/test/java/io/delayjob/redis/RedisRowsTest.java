package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches of changes, which few scripts write. */
class RedisRowsTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Partition PARTITION = new Partition("default", 0);

    private final Random random = new Random(1);
    private final String namespace = TestRedis.namespace();
    private final RedisJobStore store =
            RedisJobStore.builder(TestRedis.client()).namespace(namespace).build();

    @AfterEach
    void close() {
        store.close();
    }

    private List<NewJob> submitted(int count, JobTask task) {
        List<NewJob> jobs = newJobs(count, task);
        store.submit(jobs, DueSink.NONE);
        return jobs;
    }

    private List<NewJob> newJobs(int count, JobTask task) {
        return IntStream.range(0, count)
                .mapToObj(i -> new NewJob(
                        JobId.create(NOW.toEpochMilli(), random),
                        PARTITION,
                        task,
                        JobPlan.once(NOW, NOW),
                        OnExisting.KEEP,
                        random.nextLong()))
                .toList();
    }

    private List<Job> claimed(List<NewJob> jobs, long token) {
        return store.claim(jobs.stream().map(NewJob::toDueRow).toList(), 1, token, NOW);
    }

    private static Completion finished(Job job, boolean keep) {
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                99,
                NOW,
                null,
                keep,
                List.of());
    }

    private static RedisCommands<String, String> commands() {
        return TestRedis.client().connect().sync();
    }

    @Test
    void batchWithSomeChangedRows_writesAllOthers() {
        List<Job> jobs = new ArrayList<>(claimed(submitted(600, JobTask.of("mail")), 42));
        Collections.shuffle(jobs, random);
        Set<Integer> changed = Set.of(0, 7, 300, 599);
        changed.forEach(i -> store.cancel(jobs.get(i).id(), NOW));
        store.release(List.of(jobs.get(100).toDueRow()), 42, 43, NOW);

        List<CompletionResult> results =
                store.complete(jobs.stream().map(job -> finished(job, true)).toList());

        for (int i = 0; i < jobs.size(); i++) {
            CompletionResult expected = i == 100 ? CompletionResult.SUPERSEDED : CompletionResult.ACCEPTED;
            assertThat(results.get(i)).as("job %d", i).isEqualTo(expected);
        }
        assertThat(store.counts(NOW).in(JobState.FINISHED)).isEqualTo(599);
        assertThat(store.find(jobs.get(100).id()).orElseThrow().token()).isEqualTo(43);
    }

    @Test
    void scriptThatRefusesARow_isFollowedByOneForTheOthers() {
        List<Job> jobs = claimed(submitted(3, JobTask.of("mail")), 42);
        store.cancel(jobs.get(1).id(), NOW);
        RedisClient client = TestRedis.client();
        StatefulRedisConnection<String, byte[]> connection = client.connect(ByteStringCodec.INSTANCE);
        Duration timeout = Duration.ofSeconds(5);
        RedisConnections connections = new RedisConnections(
                () -> new RedisConnections.Opened(connection, connection.async()),
                client.getResources().eventExecutorGroup(),
                timeout,
                new ArrayList<>());

        try (RedisLink link = new RedisLink(connections, timeout)) {
            RowWriter writer = new RowWriter(new PlainWrites(link), new Keyspace(namespace, 1), new RowFormat(1_000));

            assertThat(writer.write(
                            "deleting jobs",
                            jobs.stream()
                                    .map(job -> RowWriter.Unit.of(RowChange.deleted(job)))
                                    .toList()))
                    .containsExactly(true, false, true);
        }
        assertThat(store.find(jobs.get(0).id())).isEmpty();
        assertThat(store.find(jobs.get(1).id())).isPresent();
    }

    @Test
    void claimOfSeveralPartitions_movesOnlyTheRowsThatItClaims() {
        List<NewJob> jobs = IntStream.range(0, 30)
                .mapToObj(i -> new NewJob(
                        JobId.create(NOW.toEpochMilli(), random),
                        new Partition("default", i % 3),
                        JobTask.of("mail"),
                        JobPlan.once(NOW, NOW.minusSeconds(i)),
                        OnExisting.KEEP,
                        random.nextLong()))
                .toList();
        store.submit(jobs, DueSink.NONE);
        Set<Integer> changed = Set.of(0, 3, 4, 17, 29);
        changed.forEach(i -> store.reschedule(jobs.get(i).id(), NOW.plusSeconds(i), 41, DueSink.NONE));
        List<NewJob> unchanged = IntStream.range(0, jobs.size())
                .filter(i -> !changed.contains(i))
                .mapToObj(jobs::get)
                .toList();

        List<Job> claimed = claimed(jobs, 42);

        assertThat(claimed).extracting(Job::id).containsExactlyElementsOf(idsOf(unchanged));
        assertThat(claimed(jobs, 42)).isEqualTo(claimed);
        for (int partition = 0; partition < 3; partition++) {
            int index = partition;
            assertThat(entries("run:" + index + ":default"))
                    .containsExactlyInAnyOrderElementsOf(unchanged.stream()
                            .filter(job -> job.partition().index() == index)
                            .map(job -> new SortedEntries.Entry(job.dueAt().toEpochMilli(), job.id()))
                            .toList());
            assertThat(entries("due:" + index + ":default"))
                    .containsExactlyInAnyOrderElementsOf(changed.stream()
                            .filter(i -> i % 3 == index)
                            .map(i -> new SortedEntries.Entry(
                                    NOW.plusSeconds(i).toEpochMilli(),
                                    jobs.get(i).id()))
                            .toList());
        }
    }

    private List<SortedEntries.Entry> entries(String index) {
        return TestRedis.client()
                .connect(ByteStringCodec.INSTANCE)
                .sync()
                .zrangeWithScores(namespace + "{0}:" + index, 0, -1)
                .stream()
                .map(entry -> new SortedEntries.Entry((long) entry.getScore(), Keyspace.id(entry.getValue())))
                .toList();
    }

    /** The rows are of the kinds that the script compares and writes in different ways. */
    @Test
    void rowsThatWaitAgain_keepTheirTask() {
        List<JobTask> tasks = List.of(
                JobTask.of("none"),
                JobTask.of("empty").withPayload(""),
                JobTask.of("short").withPayload("\u65e5".repeat(500)),
                JobTask.of("long").withPayload("\u65e5".repeat(3_000)),
                JobTask.of("extras").withExtras("then " + "x".repeat(5_000)),
                JobTask.of("both").withPayload("x".repeat(501)).withExtras("then " + "x".repeat(5_000)));
        for (JobTask task : tasks) {
            Job job = claimed(submitted(1, task), 42).get(0);

            assertThat(store.complete(List.of(failedOnce(job)))).containsExactly(CompletionResult.ACCEPTED);

            Job waiting = store.find(job.id()).orElseThrow();
            assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
            assertThat(waiting.failures()).isEqualTo(1);
            assertThat(waiting.task()).isEqualTo(task);
        }
    }

    @Test
    void pagesAndClaims_findLongRowsAmongShortOnes() {
        List<JobTask> tasks = List.of(
                JobTask.of("short").withPayload("x"),
                JobTask.of("long").withPayload("x".repeat(3_000)),
                JobTask.of("extras").withExtras("then " + "x".repeat(5_000)),
                JobTask.of("none"));
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tasks.forEach(task -> jobs.addAll(submitted(1, task)));
        }
        assertThat(longRows()).isEqualTo(10);

        assertThatRowsAreClaimed(jobs.subList(0, 10), 42);
        // A version that does not keep this index has written the other rows.
        commands().del(namespace + "{0}:long");
        assertThatRowsAreClaimed(jobs.subList(10, 20), 43);
    }

    @Test
    void largePages_haveAllRows_withAndWithoutALongOne() {
        List<NewJob> jobs = new ArrayList<>(submitted(600, JobTask.of("short").withPayload("x")));
        assertThat(idsOfPage()).containsExactlyInAnyOrderElementsOf(idsOf(jobs));

        jobs.addAll(submitted(1, JobTask.of("long").withPayload("x".repeat(3_000))));
        assertThat(idsOfPage()).containsExactlyInAnyOrderElementsOf(idsOf(jobs));
    }

    private List<JobId> idsOfPage() {
        return store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 1_000).rows().stream()
                .map(DueRow::id)
                .toList();
    }

    private static List<JobId> idsOf(List<NewJob> jobs) {
        return jobs.stream().map(NewJob::id).toList();
    }

    private void assertThatRowsAreClaimed(List<NewJob> jobs, long token) {
        List<DueRow> rows = store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 100).rows().stream()
                .filter(row -> jobs.stream().anyMatch(job -> job.id().equals(row.id())))
                .toList();
        assertThat(rows).hasSameSizeAs(jobs);
        List<Job> claimed = store.claim(rows, 1, token, NOW);
        assertThat(claimed).hasSameSizeAs(jobs);
        for (NewJob job : jobs) {
            Job found = store.find(job.id()).orElseThrow();
            assertThat(claimed).contains(found);
            assertThat(found.task()).isEqualTo(job.task());
            assertThat(found.token()).isEqualTo(token);
        }
    }

    private long longRows() {
        return commands().scard(namespace + "{0}:long");
    }

    @Test
    void rowThatBecomesLong_isKnownAsLong() {
        Job job = claimed(submitted(1, JobTask.of("mail")), 42).get(0);
        assertThat(longRows()).isZero();

        Failure failure = new Failure("java.io.IOException", "away", "x".repeat(5_000));
        store.complete(List.of(new Completion(
                job,
                new JobOutcome.Failed(failure, false),
                new Transition.Ended(JobState.FAILED),
                43,
                NOW,
                failure,
                true,
                List.of())));
        assertThat(longRows()).isEqualTo(1);

        store.retry(job.id(), NOW, 44, DueSink.NONE);
        assertThat(longRows()).isZero();
    }

    @Test
    void rowWithALongResult_isKnownAsLong() {
        Job job = claimed(submitted(1, JobTask.of("mail")), 42).get(0);
        String result =
                JobExtras.NONE.withResult("\"" + "x".repeat(5_000) + "\"").toText();
        store.complete(List.of(new Completion(
                job.with(job.task().withExtras(result)),
                new JobOutcome.Succeeded(null),
                new Transition.Ended(JobState.FINISHED),
                43,
                NOW,
                null,
                true,
                List.of())));

        assertThat(longRows()).isEqualTo(1);
    }

    @Test
    void rowWhoseLongLogGivesWayToAShortOne_isNoLongerKnownAsLong() {
        Job first = claimed(submitted(1, JobTask.of("mail")), 42).get(0);
        store.complete(List.of(failedWith(first, "x".repeat(160), 43)));
        assertThat(longRows()).isEqualTo(1);

        Job second = store.claim(List.of(store.find(first.id()).orElseThrow().toDueRow()), 1, 44, NOW)
                .get(0);
        store.complete(List.of(failedWith(second, "short", 45)));

        assertThat(store.find(first.id()).orElseThrow().log().attempt()).isEqualTo(2);
        assertThat(longRows()).isZero();
    }

    private static Completion failedWith(Job job, String message, long freshToken) {
        JobLog log = new JobLog(job.attempt(), Collections.nCopies(8, new JobLog.Line(NOW, message)));
        Failure failure = Failure.of("java.io.IOException", "away");
        return new Completion(
                job.with(job.task().withExtras(job.extras().withLog(log).toText())),
                new JobOutcome.Failed(failure, true),
                new Transition.Again(job.run(), job.plannedAt(), NOW, job.failures() + 1),
                freshToken,
                NOW,
                failure,
                true,
                List.of());
    }

    @Test
    void batchWithATextThatIsRefused_writesNothing() {
        List<NewJob> jobs = new ArrayList<>(newJobs(600, JobTask.of("mail").withPayload("\"\u65e5\"")));
        jobs.add(newJobs(1, JobTask.of("mail").withPayload("\"\ud800\"")).get(0));

        assertThatThrownBy(() -> store.submit(jobs, DueSink.NONE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("half a surrogate pair");

        assertThat(commands().keys(namespace + "{0}:*")).isEmpty();
    }

    @Test
    void endedJobs_leaveNoKeysOfTheirOwn_withoutHistory() {
        List<NewJob> waiting = new ArrayList<>(submitted(299, JobTask.of("mail").withPayload("x")));
        waiting.addAll(submitted(1, JobTask.of("mail").withPayload("x".repeat(3_000))));
        List<Job> jobs = claimed(waiting, 42);
        Job failed = jobs.get(0);
        store.complete(List.of(failedOnce(failed)));
        assertThat(store.attempts(failed.id(), 10)).hasSize(1);
        List<Job> again = store.claim(
                store.dueAfter(List.of(PartitionCursor.start(PARTITION)), NOW, 10)
                        .rows(),
                1,
                44,
                NOW);
        List<Job> all = new ArrayList<>(again);
        all.addAll(jobs.subList(1, jobs.size()));
        assertThat(all).hasSize(300);

        store.complete(all.stream().map(job -> finished(job, false)).toList());

        assertThat(commands().keys(namespace + "{0}:*")).containsExactly(namespace + "{0}:parts");
    }

    private static Completion failedOnce(Job job) {
        Failure failure = new Failure("java.io.IOException", "away", null);
        return new Completion(
                job,
                new JobOutcome.Failed(failure, true),
                new Transition.Again(job.run(), job.plannedAt(), NOW, 1),
                43,
                NOW,
                failure,
                false,
                List.of(new AttemptRecord(job.id(), 1, 1, "failed", 1, NOW, NOW, NOW, NOW, failure)));
    }
}
