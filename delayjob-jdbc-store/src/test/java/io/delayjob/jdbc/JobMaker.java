package io.delayjob.jdbc;

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
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes jobs from fixed seeds, and remembers what was handed over. No two make the same ids: a server may remember the
 * rows of an earlier test. Thread-safe.
 */
final class JobMaker {

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final Partition PARTITION = new Partition("default", 0);
    static final String NAME = "send-mail";
    static final long WORKER = 41;

    private static final AtomicInteger SEEDS = new AtomicInteger(42);

    private final Random random = new Random(SEEDS.getAndIncrement());
    private final JobStore store;
    final List<DueRow> handedOver = new CopyOnWriteArrayList<>();
    final DueSink sink = handedOver::addAll;

    JobMaker(JobStore store) {
        this.store = store;
    }

    long token() {
        return random.nextLong();
    }

    NewJob job() {
        return job(null, OnExisting.KEEP);
    }

    NewJob job(@Nullable String key, OnExisting onExisting) {
        return job(key, onExisting, PARTITION);
    }

    NewJob job(@Nullable String key, OnExisting onExisting, Partition partition) {
        return job(key, onExisting, partition, "{\"n\":1}");
    }

    NewJob jobOf(String payload) {
        return job(null, OnExisting.KEEP, PARTITION, payload);
    }

    private NewJob job(@Nullable String key, OnExisting onExisting, Partition partition, String payload) {
        JobId id = JobId.create(NOW.toEpochMilli(), random);
        return new NewJob(
                id,
                partition,
                JobTask.of(NAME).withKey(key).withPayload(payload),
                JobPlan.once(NOW, NOW),
                onExisting,
                token());
    }

    List<NewJob> jobs(int count) {
        return IntStream.range(0, count).mapToObj(i -> job()).toList();
    }

    Scheduled submit(NewJob job) {
        return store.submit(List.of(job), sink).get(0);
    }

    List<Job> claim(List<DueRow> rows) {
        return store.claim(rows, WORKER, token(), NOW);
    }

    List<DueRow> lost() {
        return store.claimedByOthers(List.of(PartitionCursor.start(PARTITION)), NOW, Set.of(), 100).rows().stream()
                .map(ClaimedRow::row)
                .toList();
    }

    /** A failed attempt, with another one to follow. */
    Completion retrying(Job job) {
        return new Completion(
                job,
                new JobOutcome.Failed(Failure.of("Broken", "broken"), true),
                new Transition.Again(job.run(), job.plannedAt(), NOW, job.failures() + 1),
                token(),
                NOW,
                Failure.of("Broken", "broken"),
                true,
                List.of());
    }

    /** The last attempt has failed. */
    Completion failing(Job job) {
        return new Completion(
                job,
                new JobOutcome.Failed(Failure.of("Broken", "broken"), false),
                new Transition.Ended(JobState.FAILED),
                token(),
                NOW,
                Failure.of("Broken", "broken"),
                true,
                List.of());
    }

    /** The run has ended well, and another one follows. */
    Completion nextRun(Job job) {
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Again(job.run() + 1, NOW, NOW, 0),
                token(),
                NOW,
                null,
                true,
                List.of());
    }

    Completion finishing(Job job) {
        return finishing(job, true);
    }

    Completion finishing(Job job, boolean keep) {
        return new Completion(
                job,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                token(),
                NOW,
                null,
                keep,
                List.of());
    }
}
