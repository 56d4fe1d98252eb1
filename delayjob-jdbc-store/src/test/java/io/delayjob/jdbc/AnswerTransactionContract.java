package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Answers from outside in the caller's transaction, and beside claims and cancellations. */
abstract class AnswerTransactionContract extends StoreContract {

    private static final int RACERS = Integer.getInteger("delayjob.test.racers", 2_000);
    private static final int BATCH = 500;

    private final List<Completion> committed = new ArrayList<>();
    private TransactionTemplate nested;

    @BeforeAll
    final void makeTemplate() {
        nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    }

    private Job parked() {
        NewJob job = jobs.job();
        jobs.submit(job);
        jobs.handedOver.clear();
        committed.clear();
        return park(jobs.claim(List.of(job.toDueRow()))).get(0);
    }

    private List<Job> park(List<Job> running) {
        List<Completion> ends = running.stream()
                .map(job -> new Completion(
                        job,
                        new JobOutcome.Awaited(Duration.ofHours(1)),
                        new Transition.Again(job.run(), job.plannedAt(), JobMaker.NOW.plusSeconds(3_600), 0, true),
                        jobs.token(),
                        JobMaker.NOW,
                        null,
                        true,
                        List.of()))
                .toList();
        assertThat(store.complete(ends)).containsOnly(CompletionResult.ACCEPTED);
        return running.stream().map(job -> store.find(job.id()).orElseThrow()).toList();
    }

    private Completion done(Job job) {
        Transition next = new Transition.Ended(job.cancelRequested() ? JobState.CANCELLED : JobState.FINISHED);
        return new Completion(job, new JobOutcome.Succeeded(), next, jobs.token(), JobMaker.NOW, null, true, List.of());
    }

    private Completion notAnswered(Job job) {
        Failure failure = Failure.of("NotAnswered", "no answer came");
        return new Completion(
                job,
                new JobOutcome.TimedOut(failure, false),
                new Transition.Ended(JobState.FAILED),
                jobs.token(),
                JobMaker.NOW,
                failure,
                true,
                List.of());
    }

    private AnswerResult answer(JobId id) {
        return store.answer(id, this::done, committed::add);
    }

    @Test
    void answer_commitsWithTheCallersDataAndIsThenTold() {
        Job parked = parked();

        transaction.executeWithoutResult(status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            assertThat(answer(parked.id())).isEqualTo(AnswerResult.TAKEN);
            assertThat(store.find(parked.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
            assertThat(committed).as("before the commit").isEmpty();
        });

        assertThat(store.find(parked.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThat(committed).extracting(Completion::job).containsExactly(parked);
    }

    @Test
    void rollback_leavesTheJobAwaitingAsItWas() {
        Job parked = parked();

        transaction.executeWithoutResult(status -> {
            answer(parked.id());
            status.setRollbackOnly();
        });

        assertThat(store.find(parked.id())).contains(parked);
        assertThat(committed).isEmpty();
        assertThat(answer(parked.id())).isEqualTo(AnswerResult.TAKEN);
    }

    @Test
    void savepointRollback_undoesTheAnswerAndTellsNobody() {
        Job parked = parked();
        Job answered = parked();

        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                answer(parked.id());
                inner.setRollbackOnly();
            });
            answer(answered.id());
        });

        assertThat(store.find(parked.id())).contains(parked);
        assertThat(committed).extracting(end -> end.job().id()).containsExactly(answered.id());
    }

    @Test
    void answerUnderWay_keepsTheDeadlineAndOtherAnswersFromTheRow() throws Exception {
        Job parked = parked();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<AnswerResult> second = transaction.execute(status -> {
                assertThat(answer(parked.id())).isEqualTo(AnswerResult.TAKEN);
                assertThat(onAnotherConnection(() -> jobs.claim(List.of(parked.toDueRow()))))
                        .as("the claim skips a locked row")
                        .isEmpty();
                return other.submit(() -> store.answer(parked.id(), this::done, end -> {}));
            });
            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(AnswerResult.NOT_AWAITED);
        } finally {
            other.shutdownNow();
        }
    }

    private static <T> T onAnotherConnection(Callable<T> call) {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            return other.submit(call).get(30, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        } finally {
            other.shutdownNow();
        }
    }

    /** What became of one job, by the answers of the store. */
    private static final class Fate {
        private int taken;
        private int toldCancelled;
        private int notAnswered;
        private int cancelled;
    }

    @Test
    void answersDeadlinesAndCancels_raceAndEachRunIsAcceptedOnce() throws Exception {
        List<Job> parked = manyParked();
        Map<JobId, Fate> fates = new ConcurrentHashMap<>();
        parked.forEach(job -> fates.put(job.id(), new Fate()));
        ConcurrentLinkedQueue<JobId> told = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int caller = 0; caller < 2; caller++) {
                Random random = new Random(caller);
                all.add(threads.submit(() -> inOwnOrder(parked, random, job -> {
                    AnswerResult result = store.answer(
                            job.id(), this::done, end -> told.add(end.job().id()));
                    note(fates, job, fate -> {
                        fate.taken += result == AnswerResult.TAKEN ? 1 : 0;
                        fate.toldCancelled += result == AnswerResult.CANCELLED ? 1 : 0;
                    });
                })));
            }
            all.add(threads.submit(() -> inOwnOrder(parked, new Random(3), job -> {
                CancelResult result = store.cancel(job.id(), JobMaker.NOW);
                boolean ends = result == CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT;
                note(fates, job, fate -> fate.cancelled += ends ? 1 : 0);
            })));
            all.add(threads.submit(() -> deadlines(parked, fates)));
            for (Future<?> each : all) {
                each.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        Map<JobState, Integer> ends = new EnumMap<>(JobState.class);
        for (Job job : parked) {
            Job row = store.find(job.id()).orElseThrow();
            Fate fate = fates.get(job.id());
            assertThat(row.state().isEnded()).as("lost: %s", row).isTrue();
            assertThat(fate.taken).as("accepted: %s", row).isLessThanOrEqualTo(1);
            assertThat(fate.taken == 1).as("taken, so finished: %s", row).isEqualTo(row.state() == JobState.FINISHED);
            assertThat(fate.notAnswered == 1).as("%s", row).isEqualTo(row.state() == JobState.FAILED);
            if (row.state() == JobState.CANCELLED) {
                assertThat(fate.toldCancelled)
                        .as("every answer hears it: %s", row)
                        .isEqualTo(2);
            }
            ends.merge(row.state(), 1, Integer::sum);
        }
        assertThat(ends).as("each kind wins sometimes").hasSize(3);
        assertThat(told).doesNotHaveDuplicates();
    }

    private List<Job> manyParked() {
        List<Job> parked = new ArrayList<>();
        for (int from = 0; from < RACERS; from += BATCH) {
            List<NewJob> batch = jobs.jobs(BATCH);
            store.submit(batch, rows -> {});
            parked.addAll(park(jobs.claim(batch.stream().map(NewJob::toDueRow).toList())));
        }
        return parked;
    }

    private static void inOwnOrder(List<Job> jobs, Random random, Consumer<Job> action) {
        List<Job> shuffled = new ArrayList<>(jobs);
        Collections.shuffle(shuffled, random);
        shuffled.forEach(action);
    }

    private static void note(Map<JobId, Fate> fates, Job job, Consumer<Fate> change) {
        Fate fate = fates.get(job.id());
        synchronized (fate) {
            change.accept(fate);
        }
    }

    /** Claims in small batches, as an engine does when the deadlines have come. */
    private void deadlines(List<Job> parked, Map<JobId, Fate> fates) {
        List<Job> shuffled = new ArrayList<>(parked);
        Collections.shuffle(shuffled, new Random(4));
        for (int from = 0; from < shuffled.size(); from += 20) {
            List<DueRow> rows = shuffled.subList(from, Math.min(from + 20, shuffled.size())).stream()
                    .map(Job::toDueRow)
                    .toList();
            List<Completion> open = new ArrayList<>(
                    jobs.claim(rows).stream().map(this::notAnswered).toList());
            while (!open.isEmpty()) {
                List<CompletionResult> results = store.complete(open);
                List<Completion> locked = new ArrayList<>();
                for (int i = 0; i < results.size(); i++) {
                    CompletionResult result = results.get(i);
                    if (result == CompletionResult.LOCKED) {
                        locked.add(open.get(i));
                    } else if (result == CompletionResult.ACCEPTED) {
                        note(fates, open.get(i).job(), fate -> fate.notAnswered++);
                    }
                }
                open = locked;
            }
        }
    }
}
