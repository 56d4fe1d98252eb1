package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks calls that change many jobs. Each job must change in the same way as in a call for this job alone. */
interface BulkChangeContract extends GivenStore {

    Instant LATER = StoreScenario.NOW.plusSeconds(7_200);

    @Test
    default void cancelAll_cancelsWaitingJobs() {
        List<Job> waiting = new ArrayList<>(given().waiting(3));
        waiting.add(given().waiting(given().job().key("42").payload("{}")));

        Map<JobId, CancelResult> results = cancel(ids(waiting));

        assertThat(results.values()).hasSize(4).containsOnly(CancelResult.CANCELLED);
        assertThat(given().waitingRows()).isEmpty();
        for (Job job : waiting) {
            Job cancelled = given().find(job.id());
            assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
            assertThat(cancelled.endedAt()).isEqualTo(StoreScenario.NOW);
            assertThat(cancelled.key()).isEqualTo(job.key());
        }
        assertThat(given().submit(given().job().key("42")).id())
                .as("the key is free")
                .isNotEqualTo(waiting.get(3).id());
    }

    @Test
    default void cancelAll_answersForEachJobAsCancelDoes() {
        Job waiting = given().waiting(given().job());
        Job running = given().running(given().job());
        Job finished = given().finished(given().job());
        Job failed = given().failed(given().job());
        Job cancelled = given().waiting(given().job());
        given().store().cancel(cancelled.id(), StoreScenario.NOW);
        JobId unknown = given().id();

        Map<JobId, CancelResult> results =
                cancel(List.of(unknown, running.id(), cancelled.id(), waiting.id(), failed.id(), finished.id()));

        assertThat(results)
                .containsEntry(waiting.id(), CancelResult.CANCELLED)
                .containsEntry(running.id(), CancelResult.RUNNING)
                .containsEntry(finished.id(), CancelResult.ALREADY_ENDED)
                .containsEntry(failed.id(), CancelResult.ALREADY_ENDED)
                .containsEntry(cancelled.id(), CancelResult.CANCELLED)
                .containsEntry(unknown, CancelResult.NOT_FOUND);
        assertThat(given().find(running.id()).cancelRequested()).isTrue();
        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("notices to the instance that runs it")
                .containsExactly(running.id());
        assertThat(given().find(finished.id())).isEqualTo(finished);
        assertThat(given().find(failed.id())).isEqualTo(failed);
    }

    @Test
    default void cancelAll_tellsOfAttemptsInDoubt() {
        Job running = given().running(given().job());
        given().complete(given().completing(running).timedOut(StoreScenario.NOW));

        assertThat(cancel(List.of(running.id())).values())
                .containsExactly(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
    }

    @Test
    default void cancelWaiting_leavesJobsThatRunOrHaveEndedAlone() {
        Job waiting = given().waiting(given().job().key("42"));
        Job claimed = given().running(given().job());
        Job failed = given().failed(given().job());
        Job ended = given().finished(given().job());
        Job inDoubt = given().running(given().job());
        given().complete(given().completing(inDoubt).timedOut(StoreScenario.NOW));
        JobId unknown = given().id();

        Map<JobId, CancelResult> results = new HashMap<>();
        inGroups(
                List.of(unknown, claimed.id(), waiting.id(), failed.id(), ended.id(), inDoubt.id()),
                Function.identity(),
                group -> {
                    results.putAll(given().store().cancelWaiting(group, StoreScenario.NOW));
                    return group;
                });

        assertThat(results)
                .containsOnly(
                        Map.entry(waiting.id(), CancelResult.CANCELLED),
                        Map.entry(inDoubt.id(), CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT));
        assertThat(given().find(waiting.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(claimed.id())).isEqualTo(claimed);
        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("notices to the instance that runs the job")
                .isEmpty();
        assertThat(given().find(failed.id())).isEqualTo(failed);
        assertThat(given().find(ended.id())).isEqualTo(ended);
        assertThat(given().store().cancelWaiting(List.of(), StoreScenario.NOW)).isEmpty();
    }

    @Test
    default void rescheduleAll_movesEachJobToItsOwnTime() {
        List<Job> waiting = given().waiting(3);
        given().forgetHandedOver();
        long token = given().token();
        List<JobMove> moves = IntStream.range(0, 3)
                .mapToObj(i -> new JobMove(waiting.get(i).id(), LATER.plusSeconds(i)))
                .toList();

        Map<JobId, ChangeResult> results =
                change(moves, group -> given().store().rescheduleAll(group, token, given().sink()));

        assertThat(results.values()).hasSize(3).containsOnly(ChangeResult.CHANGED);
        List<DueRow> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Job moved = given().find(waiting.get(i).id());
            assertThat(moved.dueAt()).isEqualTo(LATER.plusSeconds(i));
            assertThat(moved.plannedAt()).isEqualTo(LATER.plusSeconds(i));
            assertThat(moved.token()).isEqualTo(token);
            assertThat(moved)
                    .usingRecursiveComparison()
                    .ignoringFields("plan.dueAt", "plan.plannedAt", "progress.token")
                    .isEqualTo(waiting.get(i));
            rows.add(moved.toDueRow());
        }
        assertThat(given().handedOver()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    default void rescheduleAll_answersForEachJobAsRescheduleDoes() {
        Job waiting = given().waiting(given().job());
        Job running = given().running(given().job());
        Job between = given().running(given().job());
        given().complete(given().completing(between).retryAt(StoreScenario.NOW.plusSeconds(10)));
        Job failed = given().failed(given().job());
        JobId unknown = given().id();
        given().forgetHandedOver();

        Map<JobId, ChangeResult> results = change(
                moves(List.of(unknown, running.id(), failed.id(), between.id(), waiting.id())),
                group -> given().store().rescheduleAll(group, given().token(), given().sink()));

        assertThat(results)
                .containsEntry(waiting.id(), ChangeResult.CHANGED)
                .containsEntry(between.id(), ChangeResult.CHANGED)
                .containsEntry(running.id(), ChangeResult.RUNNING)
                .containsEntry(failed.id(), ChangeResult.ALREADY_ENDED)
                .containsEntry(unknown, ChangeResult.NOT_FOUND);
        assertThat(given().find(between.id()).plannedAt())
                .as("a retry keeps its plan")
                .isEqualTo(between.plannedAt());
        assertThat(given().find(running.id())).isEqualTo(running);
        assertThat(given().handedOver()).hasSize(2);
    }

    @Test
    default void retryAll_bringsFailedJobsBack() {
        List<Job> failed = List.of(
                given().failed(given().job().payload("{\"n\":1}")),
                given().failed(given().job().key("42").schedule("gaps:PT1S,PT5S")));
        given().forgetHandedOver();
        long token = given().token();

        Map<JobId, ChangeResult> results =
                change(moves(ids(failed)), group -> given().store().retryAll(group, token, given().sink()));

        assertThat(results.values()).hasSize(2).containsOnly(ChangeResult.CHANGED);
        List<DueRow> rows = new ArrayList<>();
        for (Job job : failed) {
            Job back = given().find(job.id());
            assertThat(back.state()).isEqualTo(JobState.DELAYED);
            assertThat(back.token()).isEqualTo(token);
            assertThat(back.dueAt()).isEqualTo(LATER);
            assertThat(back.plannedAt()).isEqualTo(LATER);
            assertThat(back.failures()).isZero();
            assertThat(back.attempt()).isEqualTo(1);
            assertThat(back.failure()).isNull();
            assertThat(back.payload()).isEqualTo(job.payload());
            assertThat(back.schedule()).isEqualTo(job.schedule());
            assertThat(back.key()).isEqualTo(job.key());
            rows.add(back.toDueRow());
        }
        assertThat(given().handedOver()).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(given().store().counts(StoreScenario.NOW).in(JobState.FAILED))
                .isZero();
    }

    @Test
    default void retryAll_answersForEachJobAsRetryDoes() {
        Job failed = given().failed(given().job());
        Job keyInUse = given().failed(given().job().key("42"));
        Job successor = given().waiting(given().job().key("42"));
        Job running = given().running(given().job());
        Job finished = given().finished(given().job());
        JobId unknown = given().id();
        given().forgetHandedOver();

        Map<JobId, ChangeResult> results =
                retry(List.of(failed.id(), keyInUse.id(), successor.id(), running.id(), finished.id(), unknown));

        assertThat(results)
                .containsEntry(failed.id(), ChangeResult.CHANGED)
                .containsEntry(keyInUse.id(), ChangeResult.KEY_IN_USE)
                .containsEntry(successor.id(), ChangeResult.WAITING)
                .containsEntry(running.id(), ChangeResult.RUNNING)
                .containsEntry(finished.id(), ChangeResult.ALREADY_ENDED)
                .containsEntry(unknown, ChangeResult.NOT_FOUND);
        for (Job unchanged : List.of(keyInUse, successor, running, finished)) {
            assertThat(given().find(unchanged.id())).isEqualTo(unchanged);
        }
        assertThat(given().handedOver()).hasSize(1);
    }

    @Test
    default void retryAll_ofOneKeyBringsTheOldestBack() {
        Job first = given().failed(given().job().key("42"));
        Job second = given().failed(given().job().key("42"));
        Job other = given().failed(given().job().key("43"));

        Map<JobId, ChangeResult> results = retry(List.of(first.id(), second.id(), other.id()));

        assertThat(results)
                .containsEntry(first.id(), ChangeResult.CHANGED)
                .containsEntry(second.id(), ChangeResult.KEY_IN_USE)
                .containsEntry(other.id(), ChangeResult.CHANGED);
        assertThat(given().find(second.id())).isEqualTo(second);
    }

    @Test
    default void wholePages_areChangedAtOnce() {
        List<JobId> ids = ids(given().waiting(JobQuery.MAX_LIMIT));

        assertThat(change(moves(ids), group -> given().store().rescheduleAll(group, given().token(), given().sink()))
                        .values())
                .containsOnly(ChangeResult.CHANGED);
        assertThat(cancel(ids).values()).hasSize(JobQuery.MAX_LIMIT).containsOnly(CancelResult.CANCELLED);
        assertThat(retry(ids).values()).containsOnly(ChangeResult.ALREADY_ENDED);
        assertThat(given().waitingRows()).isEmpty();
    }

    @Test
    default void emptyBatches_changeNothing() {
        assertThat(given().store().cancelAll(List.of(), StoreScenario.NOW)).isEmpty();
        assertThat(given().store().rescheduleAll(List.of(), given().token(), given().sink()))
                .isEmpty();
        assertThat(given().store().retryAll(List.of(), given().token(), given().sink()))
                .isEmpty();
    }

    private static List<JobId> ids(List<Job> jobs) {
        return jobs.stream().map(Job::id).toList();
    }

    private static List<JobMove> moves(List<JobId> ids) {
        return ids.stream().map(id -> new JobMove(id, LATER)).toList();
    }

    private Map<JobId, CancelResult> cancel(List<JobId> ids) {
        return inGroups(ids, Function.identity(), group -> given().store().cancelAll(group, StoreScenario.NOW));
    }

    private Map<JobId, ChangeResult> retry(List<JobId> ids) {
        return change(moves(ids), group -> given().store().retryAll(group, given().token(), given().sink()));
    }

    private Map<JobId, ChangeResult> change(List<JobMove> moves, Function<List<JobMove>, List<ChangeResult>> change) {
        return inGroups(moves, JobMove::id, change);
    }

    /** If a job does not exist, any group of partitions is correct for the job, so group 0 is used. */
    private <T, R> Map<JobId, R> inGroups(List<T> rows, Function<T, JobId> id, Function<List<T>, List<R>> call) {
        Map<Integer, List<T>> groups = new LinkedHashMap<>();
        for (T row : rows) {
            int group = given().store()
                    .find(id.apply(row))
                    .map(job -> given().store().placement().groupOf(job.partition()))
                    .orElse(0);
            groups.computeIfAbsent(group, first -> new ArrayList<>()).add(row);
        }
        Map<JobId, R> results = new LinkedHashMap<>();
        for (List<T> group : groups.values()) {
            List<R> answers = call.apply(group);
            assertThat(answers).hasSameSizeAs(group);
            for (int i = 0; i < answers.size(); i++) {
                results.put(id.apply(group.get(i)), answers.get(i));
            }
        }
        return results;
    }
}
