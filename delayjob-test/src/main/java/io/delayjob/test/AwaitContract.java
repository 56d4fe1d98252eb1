package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import io.delayjob.store.PartitionCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks jobs that await an answer from outside. */
interface AwaitContract extends GivenStore {

    Instant DEADLINE = StoreScenario.NOW.plusSeconds(3_600);

    @Test
    default void awaiting_isWaitingUntilTheDeadlineAndOwnedByNobody() {
        Job running = given().running(given().job().key("42").payload("[1]"));

        assertThat(given().complete(given().completing(running).awaitingUntil(DEADLINE)))
                .isEqualTo(CompletionResult.ACCEPTED);

        Job parked = given().find(running.id());
        assertThat(parked.awaiting()).isTrue();
        assertThat(parked.state()).isEqualTo(JobState.DELAYED);
        assertThat(parked.stateAt(DEADLINE)).isEqualTo(JobState.AWAITING);
        assertThat(parked.awaitedUntil()).isEqualTo(DEADLINE);
        assertThat(parked.owner()).isZero();
        assertThat(parked.run()).isEqualTo(1);
        assertThat(parked.attempt()).isEqualTo(running.attempt());
        assertThat(parked.plannedAt()).isEqualTo(running.plannedAt());
        assertThat(parked.payload()).isEqualTo("[1]");
        assertThat(given().store().find(JobDraft.NAME, "42")).contains(parked);
        assertThat(given().waitingRows()).containsExactly(parked.toDueRow());
        assertThat(PageWalk.rows(PageWalk.pages(
                        List.of(PartitionCursor.start(parked.partition())),
                        from -> given().store().overdue(from, DEADLINE, Set.of(JobDraft.NAME), 10, 10))))
                .as("rows that any instance may take over at the deadline")
                .containsExactly(parked.toDueRow());
    }

    @Test
    default void awaiting_ofAJobToBeCancelled_endsItInDoubt() {
        Job running = given().running(given().job());
        given().store().cancel(running.id(), StoreScenario.NOW);

        assertThat(given().complete(given().completing(running).awaitingUntil(DEADLINE)))
                .isEqualTo(CompletionResult.ACCEPTED_CANCELLED);

        assertThat(given().find(running.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(running.id()).inDoubt()).isEqualTo(1);
    }

    @Test
    default void awaiting_staysThroughTheClaimAtTheDeadlineAndThroughARelease() {
        Job parked = given().awaiting(given().job(), DEADLINE);

        Job claimed = given().claim(parked);
        assertThat(claimed.awaiting()).isTrue();
        assertThat(claimed.awaitedUntil()).isNull();
        assertThat(claimed.attempt()).as("the attempt that awaits the answer").isEqualTo(parked.attempt());
        assertThat(given().find(parked.id())).isEqualTo(claimed);

        given().store().release(List.of(parked.toDueRow()), claimed.token(), given().token(), DEADLINE);
        assertThat(given().find(parked.id()).awaitedUntil()).isEqualTo(DEADLINE);
        assertThat(given().find(parked.id()).attempt()).isEqualTo(parked.attempt());
        assertThat(given().claim(given().find(parked.id())).attempt()).isEqualTo(parked.attempt());
    }

    @Test
    default void awaiting_endsWithTheEndThatTheDeadlineBrings() {
        Job parked = given().awaiting(given().job().schedule("gaps:PT1H*"), DEADLINE);
        Job claimed = given().claim(parked);

        assertThat(given().complete(given().completing(claimed).timedOut(DEADLINE.plusSeconds(10))))
                .isEqualTo(CompletionResult.ACCEPTED);

        Job inBackOff = given().find(parked.id());
        assertThat(inBackOff.awaiting()).isFalse();
        assertThat(inBackOff.inDoubt()).isEqualTo(1);
        assertThat(inBackOff.failures()).isEqualTo(1);
    }

    @Test
    default void awaiting_endsWhenTheClaimAtTheDeadlineIsRescued() {
        Job lost = given().claimByLostInstance(given().awaiting(given().job(), DEADLINE));
        assertThat(lost.awaiting()).isTrue();

        given().store().rescue(List.of(lost.toDueRow()), DEADLINE, given().token());

        Job rescued = given().find(lost.id());
        assertThat(rescued.awaiting()).isFalse();
        assertThat(rescued.rescues()).isEqualTo(1);
        assertThat(rescued.inDoubt()).isEqualTo(1);
        assertThat(given().claim(rescued).awaiting()).isFalse();
    }

    @Test
    default void awaiting_isAStateOfItsOwnForQueriesAndCounts() {
        Job parked = given().awaiting(given().job(), DEADLINE);
        Job overdue = given().awaiting(given().job(), StoreScenario.NOW.plusSeconds(2));
        Job claimed = given().claim(given().awaiting(given().job(), StoreScenario.NOW.plusSeconds(3)));
        Job delayed = given().waiting(given().job().at(DEADLINE));
        Instant now = StoreScenario.NOW.plusSeconds(60);

        assertThat(found(JobQuery.state(JobState.AWAITING), now)).containsExactly(parked.id(), overdue.id());
        assertThat(found(JobQuery.state(JobState.AWAITING).order(JobOrder.DUE), now))
                .containsExactly(overdue.id(), parked.id());
        assertThat(found(JobQuery.state(JobState.AWAITING).name("other"), now)).isEmpty();
        assertThat(found(JobQuery.state(JobState.DELAYED), now)).containsExactly(delayed.id());
        assertThat(found(JobQuery.state(JobState.READY), now)).isEmpty();
        assertThat(found(JobQuery.state(JobState.RUNNING), now)).containsExactly(claimed.id());
        assertThat(given().store().counts(now).in(JobState.AWAITING)).isEqualTo(2);
        assertThat(given().store().counts(now).in(JobState.DELAYED)).isEqualTo(1);
        assertThat(given().store().counts(now).in(JobState.READY)).isZero();
        assertThat(given().store().counts(now).in(JobState.RUNNING)).isEqualTo(1);
    }

    private List<JobId> found(JobQuery query, Instant now) {
        return given().store().find(query, now).stream().map(Job::id).toList();
    }

    @Test
    default void cancel_ofAnAwaitingJob_endsItInDoubt() {
        Job parked = given().awaiting(given().job().key("42"), DEADLINE);
        Job other = given().awaiting(given().job(), DEADLINE);

        assertThat(given().store().cancel(JobDraft.NAME, "42", StoreScenario.NOW))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().store().cancelAll(List.of(other.id()), StoreScenario.NOW))
                .containsExactly(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);

        Job cancelled = given().find(parked.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.inDoubt()).isEqualTo(1);
        assertThat(cancelled.awaiting()).isFalse();
        assertThat(given().store().cancel(parked.id(), StoreScenario.NOW))
                .isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(given().find(other.id()).inDoubt()).isEqualTo(1);
    }

    /** If the job is answered before {@code cancelAwaiting}, the next run of the job must not be cancelled. */
    @Test
    default void cancelAwaiting_leavesEveryOtherJobAlone() {
        Job parked = given().awaiting(given().job().key("42"), DEADLINE);
        Job atItsDeadline = given().claim(given().awaiting(given().job(), DEADLINE));
        Job waiting = given().waiting(given().job());
        Job running = given().running(given().job());
        Job failed = given().failed(given().job());

        assertThat(cancelAwaiting(parked)).containsExactly(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(cancelAwaiting(atItsDeadline)).containsExactly(CancelResult.RUNNING);
        for (Job other : List.of(waiting, running, failed)) {
            assertThat(cancelAwaiting(other)).isEmpty();
            assertThat(given().find(other.id())).isEqualTo(other);
        }

        assertThat(given().find(parked.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(atItsDeadline.id()).cancelRequested()).isTrue();
        assertThat(given().store().instances().look(given().worker()).cancelRequested())
                .as("notices to the instance that runs it")
                .containsExactly(atItsDeadline.id());
        assertThat(given().store().cancelAwaiting(List.of(given().id()), StoreScenario.NOW))
                .isEmpty();
        assertThat(given().store().cancelAwaiting(List.of(), StoreScenario.NOW)).isEmpty();
    }

    private Collection<CancelResult> cancelAwaiting(Job job) {
        return given().store()
                .cancelAwaiting(List.of(job.id()), StoreScenario.NOW)
                .values();
    }

    @Test
    default void withdraw_ofAnAwaitingJob_endsItInDoubt() {
        Job parked = given().awaiting(given().job().key("42"), DEADLINE);

        given().store().withdraw(parked.id(), StoreScenario.NOW);

        assertThat(given().find(parked.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(parked.id()).inDoubt()).isEqualTo(1);
        assertThat(given().find(parked.id()).key()).isNull();
    }

    @Test
    default void changesOfAnAwaitingJob_answerRunningAndChangeNothing() {
        Job parked = given().awaiting(given().job().key("42"), DEADLINE);
        Instant due = DEADLINE.plus(Duration.ofDays(1));

        assertThat(given().store().reschedule(parked.id(), due, given().token(), given().sink()))
                .isEqualTo(ChangeResult.RUNNING);
        assertThat(given().store()
                        .rescheduleAll(List.of(new JobMove(parked.id(), due)), given().token(), given().sink()))
                .containsExactly(ChangeResult.RUNNING);
        assertThat(given().store().retry(parked.id(), due, given().token(), given().sink()))
                .isEqualTo(ChangeResult.RUNNING);
        assertThat(given().store().cancelWaiting(List.of(parked.id()), due)).isEmpty();
        assertThat(given().submit(given().job().key("42")))
                .isEqualTo(new Scheduled(parked.id(), Scheduled.Outcome.KEPT, JobState.AWAITING));

        assertThat(given().find(parked.id())).isEqualTo(parked);
    }

    @Test
    default void newJobOfAnAwaitingJobsKey_takesTheKeyAndCallsFurtherAttemptsOff() {
        Job replaced = given().awaiting(given().job().key("a"), DEADLINE);
        Job postponed = given().awaiting(given().job().key("b"), DEADLINE);

        for (OnExisting onExisting : List.of(OnExisting.REPLACE, OnExisting.POSTPONE)) {
            String key = onExisting == OnExisting.REPLACE ? "a" : "b";
            assertThat(given().submit(given().job().key(key, onExisting)).outcome())
                    .isEqualTo(Scheduled.Outcome.CREATED);
        }

        for (Job before : List.of(replaced, postponed)) {
            Job old = given().find(before.id());
            assertThat(old.key()).isNull();
            assertThat(old.awaitedUntil()).isEqualTo(DEADLINE);
            assertThat(old.cancelRequested()).isTrue();
            assertThat(given().complete(given().completing(given().claim(old)).timedOut(DEADLINE)))
                    .isEqualTo(CompletionResult.ACCEPTED_CANCELLED);
        }
    }

    @Test
    default void releaseOfAClaimAtTheDeadline_ofAJobToBeCancelled_endsItInDoubt() {
        Job parked = given().awaiting(given().job().key("42"), DEADLINE);
        given().submit(given().job().key("42", OnExisting.REPLACE));
        Job claimed = given().claim(given().find(parked.id()));

        given().store().release(List.of(parked.toDueRow()), claimed.token(), given().token(), DEADLINE);

        assertThat(given().find(parked.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(given().find(parked.id()).inDoubt()).isEqualTo(1);
    }
}
