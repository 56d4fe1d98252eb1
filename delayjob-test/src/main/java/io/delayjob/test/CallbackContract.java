package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreCapability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Checks how a store calls a sink: after the commit, without a lock, and always with at least one element. */
interface CallbackContract extends GivenStore {

    /** Maximum time for a read by another thread. If the store still held its lock, this thread would wait for ever. */
    int PATIENCE_SECONDS = 20;

    @Test
    default void sink_ofNewJobsIsCalledAfterTheCommitAndWithoutALock() {
        NewJob one = given().job().toNewJob();
        NewJob once = given().job().toNewJob();
        Map<JobId, Job> seen = new HashMap<>();

        given().store().submit(List.of(one), lookingUp(seen));
        assertThat(seen).containsExactly(Map.entry(one.id(), one.toJob()));

        if (given().store().capabilities().has(StoreCapability.GIVEN_IDS)) {
            given().store().submitOnce(once, lookingUp(seen));
            assertThat(seen).containsEntry(once.id(), once.toJob());
        }
    }

    @Test
    default void sink_ofChangedJobsIsCalledAfterTheCommitAndWithoutALock() {
        Job waiting = given().waiting(given().job());
        Job failed = given().failed(given().job());
        Map<JobId, Job> seen = new HashMap<>();

        assertThat(given().store().reschedule(waiting.id(), ChangeContract.DUE, given().token(), lookingUp(seen)))
                .isEqualTo(ChangeResult.CHANGED);
        assertThat(given().store().retry(failed.id(), ChangeContract.DUE, given().token(), lookingUp(seen)))
                .isEqualTo(ChangeResult.CHANGED);

        assertThat(seen)
                .containsOnly(
                        Map.entry(waiting.id(), given().find(waiting.id())),
                        Map.entry(failed.id(), given().find(failed.id())));
        assertThat(seen.values()).extracting(Job::dueAt).containsOnly(ChangeContract.DUE);
    }

    @Test
    default void answer_passesItsEndOnAfterTheCommitAndWithoutALock() {
        Job parked = given().awaiting(given().job(), AwaitContract.DEADLINE);
        List<Job> seen = new ArrayList<>();

        AnswerResult result = given().store()
                .answer(
                        parked.id(),
                        job -> given().completing(job).toCompletion(),
                        end -> seen.add(byAnotherThread(() -> given().find(parked.id()))));

        assertThat(result).isEqualTo(AnswerResult.TAKEN);
        assertThat(seen).extracting(Job::state).containsExactly(JobState.FINISHED);
    }

    @Test
    default void pauseAndResume_areSeenByOthersWhenTheySayThatTheyAreCommitted() {
        Paused bulk = Paused.queue("bulk");
        List<Paused> seen = new ArrayList<>();
        Runnable looking = () -> seen.add(byAnotherThread(() -> given().store().paused()));

        given().store().pause(bulk, new PauseNote(StoreScenario.NOW, null, null), looking);
        given().store().resume(bulk, looking);

        assertThat(seen).containsExactly(bulk, Paused.NOTHING);
    }

    @Test
    default void pauseAndResume_thatChangeNothing_alsoSayThatTheyAreCommitted() {
        Paused bulk = Paused.queue("bulk");
        List<String> calls = new ArrayList<>();
        given().store().pause(bulk, new PauseNote(StoreScenario.NOW, null, null), () -> {});

        given().store().pause(bulk, new PauseNote(StoreScenario.NOW, null, null), () -> calls.add("paused"));
        given().store().resume(Paused.queue("others"), () -> calls.add("resumed"));

        assertThat(calls).containsExactly("paused", "resumed");
    }

    @Test
    default void sink_isNotCalledWithoutRows() {
        Job waiting = given().waiting(given().job().key("42"));
        Job running = given().running(given().job());
        List<List<DueRow>> calls = new ArrayList<>();

        given().store().submit(List.of(), calls::add);
        given().store().submit(List.of(given().job().key("42").toNewJob()), calls::add);
        given().store().reschedule(running.id(), ChangeContract.DUE, given().token(), calls::add);
        given().store().retry(waiting.id(), ChangeContract.DUE, given().token(), calls::add);
        List<JobMove> none = List.of(new JobMove(running.id(), ChangeContract.DUE));
        given().store().rescheduleAll(none, given().token(), calls::add);
        given().store().retryAll(none, given().token(), calls::add);
        if (given().store().capabilities().has(StoreCapability.GIVEN_IDS)) {
            NewJob again = given().job().toNewJob();
            given().store().submitOnce(again.at(waiting.id(), again.partition()), calls::add);
        }

        assertThat(calls).isEmpty();
    }

    private DueSink lookingUp(Map<JobId, Job> seen) {
        return rows -> rows.forEach(row -> seen.put(row.id(), byAnotherThread(() -> given().find(row.id()))));
    }

    /**
     * Reads in another thread, to find out whether the store still holds a lock. The current thread could take its own
     * lock again, and would notice nothing.
     */
    static <R> R byAnotherThread(Supplier<R> read) {
        return CompletableFuture.supplyAsync(read, task -> new Thread(task, "reader").start())
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
