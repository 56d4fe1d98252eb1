package io.delayjob.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.Next;
import io.delayjob.internal.dispatch.HandTransactions;
import io.delayjob.internal.dispatch.Station;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests atomic handlers: the writes of the handler and the end of the attempt are committed together, or not at all.
 */
class AtomicAttemptsTest {

    private final Station station = new Station(4);
    private final HandTransactions transactions = station.transactions;
    private final List<String> completed = new ArrayList<>();
    private int calls;

    AtomicAttemptsTest() {
        station.listeners.add(new JobListener() {
            @Override
            public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                completed.add(outcome.label());
            }
        });
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.attempts.running()).isZero();
        assertThat(station.completer.backlog()).isZero();
    }

    private Handler.Builder atomic() {
        return Handler.named("a").atomic(true);
    }

    private JobId run(Handler.Builder handler, JobHandler body) {
        return run(handler, GivenJob.given(), body);
    }

    /** Runs a job whose handler writes its number in each call, and then does this. */
    private JobId run(Handler.Builder handler, GivenJob job, JobHandler body) {
        station.handler(handler.calls((arguments, context) -> {
            transactions.write("effect " + ++calls);
            return body.handle(arguments, context);
        }));
        return station.run(job);
    }

    private void again(JobId id, Duration after) {
        station.clock.advance(after);
        station.offerAsItStands(id);
        station.work();
    }

    @Test
    void success_commitsTheEffectWithTheEnd() {
        JobId id = run(atomic(), (arguments, job) -> null);

        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
        assertThat(station.rows.attempts(id, 9))
                .extracting(AttemptRecord::outcome)
                .containsExactly("SUCCEEDED");
        assertThat(station.events).containsExactly("started a");
        assertThat(completed).containsExactly("SUCCEEDED");
        assertThat(station.store.calls("complete")).as("batches of ends").isEmpty();
    }

    @Test
    void returnValue_decidesTheNextRun_whoseRowIsPassedOn() {
        JobId id = run(
                atomic(),
                GivenJob.given().schedule(Repeat.every(Duration.ofMinutes(1))),
                (arguments, job) -> Next.after(Duration.ofSeconds(5)));

        assertThat(station.job(id).run()).isEqualTo(2);
        assertThat(station.job(id).dueAt()).isEqualTo(HandClock.START.plusSeconds(5));
        assertThat(station.handedOver).containsExactly(station.job(id).toDueRow());
        assertThat(transactions.effects).containsExactly("effect 1");
    }

    @Test
    void snooze_commitsWhatWasWrittenBeforeIt() {
        JobId id = run(atomic(), (arguments, job) -> Next.snooze(Duration.ofMinutes(1)));

        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.job(id).run()).isEqualTo(1);
        assertThat(station.job(id).failures()).isZero();
        assertThat(station.job(id).dueAt()).isEqualTo(HandClock.START.plusSeconds(60));
    }

    @Test
    void ticket_isRefusedBecauseAnAnswerCouldUndoTheHandlersWork() {
        JobId id = run(atomic(), (arguments, job) -> job.ticket());

        assertThat(transactions.effects).isEmpty();
        assertThat(station.rows.attempts(id, 1).get(0).failure().message())
                .startsWith("The atomic handler ")
                .contains("has no ticket, because an answer before the commit would undo the work of the handler");
    }

    @Test
    void awaitedAnswer_isRefusedBecauseNobodyHasATicket() {
        JobId id = run(atomic(), (arguments, job) -> Next.awaitAnswer(Duration.ofHours(1)));

        assertThat(transactions.effects).isEmpty();
        assertThat(station.job(id).awaiting()).isFalse();
        assertThat(station.rows.attempts(id, 1).get(0).failure().message())
                .contains("returned Next.awaitAnswer, but nobody can answer");
    }

    @Test
    void snoozeBeyondItsBound_isAFailureAndRollsBack() {
        JobId id = run(atomic(), (arguments, job) -> Next.snooze(Duration.ofDays(1)));

        assertThat(transactions.effects).isEmpty();
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(station.rows.attempts(id, 1).get(0).failure().type()).isEqualTo("SnoozedTooLong");
    }

    @Test
    void exception_rollsBack_andIsRetriedAsUsual() {
        JobId id = run(atomic(), (arguments, job) -> {
            if (job.failures() == 0) {
                throw new IllegalStateException("not yet");
            }
            return null;
        });

        assertThat(transactions.effects).isEmpty();
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(station.store.calls("complete")).hasSize(1);

        again(id, Duration.ofSeconds(10));
        assertThat(transactions.effects).containsExactly("effect 2");
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void lastRetry_failsTheJobWithoutAnEffect() {
        JobId id = run(atomic().retry(RetryPolicy.none()), (arguments, job) -> {
            throw new IllegalStateException("never");
        });

        assertThat(transactions.effects).isEmpty();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
    }

    @Test
    void completionStage_isAFailureThatSaysWhy() {
        JobId id = run(atomic(), (arguments, job) -> new CompletableFuture<Object>());

        assertThat(transactions.effects).isEmpty();
        assertThat(station.rows.attempts(id, 1).get(0).failure().message())
                .contains("atomic handler 'a' returned a CompletionStage");
    }

    @Test
    void cancellationRequestedMeanwhile_keepsThisRunAndPreventsFurtherRuns() {
        JobId id = run(atomic(), GivenJob.given().schedule(Repeat.every(Duration.ofMinutes(1))), (arguments, job) -> {
            assertThat(station.rows.cancel(job.id(), HandClock.START)).isEqualTo(CancelResult.RUNNING);
            return null;
        });

        assertThat(station.state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.handedOver).isEmpty();
    }

    // ---- the fence

    @Test
    void attemptThatWasGivenUpForLost_isRolledBackAndCountedAsFenced() {
        JobId id = run(atomic(), (arguments, job) -> {
            if (job.attempt() == 1) {
                station.rows.instances().deregister(station.number);
                station.rescue();
                assertThat(station.job(job.id()).inDoubt()).isEqualTo(1);
            }
            return null;
        });

        assertThat(transactions.effects).isEmpty();
        assertThat(station.events).containsExactly("started a", "fenced a");
        assertThat(completed).isEmpty();
        assertThat(station.job(id).inDoubt()).as("it has ended after all").isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
    }

    // ---- commits without a reply

    @Test
    void commitWithoutAReply_thatWasDone_isRecognizedByTheRow() {
        transactions.loseAnswer(true);

        JobId id =
                run(atomic(), GivenJob.given().schedule(Repeat.every(Duration.ofMinutes(1))), (arguments, job) -> null);
        again(id, Duration.ofSeconds(1));

        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.job(id).run()).isEqualTo(2);
        assertThat(station.job(id).failures()).isZero();
        assertThat(station.handedOver).containsExactly(station.job(id).toDueRow());
        assertThat(completed).containsExactly("SUCCEEDED");
        assertThat(station.events).doesNotContain("fenced a");
    }

    @Test
    void commitWithoutAReply_thatWasNotDone_isAFailureAndRetried() {
        transactions.loseAnswer(false);

        JobId id = run(atomic(), (arguments, job) -> null);

        assertThat(transactions.effects).isEmpty();
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(completed).containsExactly("FAILED");
        again(id, Duration.ofSeconds(10));
        assertThat(transactions.effects).containsExactly("effect 2");
    }

    @Test
    void commitThatFailsInTheStore_isRetried_evenIfTheHandlerRetriesOnlySomeExceptions() {
        transactions.loseAnswer(false);

        JobId id = run(
                atomic().retry(RetryPolicy.gaps(Duration.ofSeconds(10)).includes(ArithmeticException.class)),
                (arguments, job) -> null);

        assertThat(station.job(id).failures()).isOne();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
    }

    /** The connection broke before the server has received the commit. Until then the server keeps the row locked. */
    @Test
    void commitThatIsDoneLater_isWaitedFor() {
        transactions.loseAnswer(false);
        station.handler(atomic().calls((arguments, job) -> {
            station.store.lock(job.id());
            return Next.stop();
        }));
        JobId id = station.run(GivenJob.given());
        Job running = station.job(id);
        assertThat(running.state()).isEqualTo(JobState.RUNNING);

        station.rows.complete(List.of(transactions.last));
        station.store.unlock(id);
        again(id, Duration.ofSeconds(2));

        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
        assertThat(completed).containsExactly("STOPPED");
    }

    @Test
    void commitWithoutAReply_isRecognized_evenAfterASecondLostReply() {
        transactions.loseAnswer(true);
        station.store.loseAnswerOf("complete").loseCallOf("complete").loseAnswerOf("complete");
        station.handler(atomic().calls((arguments, job) -> null));
        DueRow row = station.due("a");
        station.offer(List.of(row));

        for (int i = 0; i < 9; i++) {
            try {
                station.work();
            } catch (StoreException lost) {
                station.clock.advanceMillis(2_000);
            }
        }

        assertThat(station.state(row.id())).isEqualTo(JobState.FINISHED);
        assertThat(completed).containsExactly("SUCCEEDED");
        assertThat(station.rows.attempts(row.id(), 9)).hasSize(1);
    }

    // ---- before the handler is called

    @Test
    void noTransaction_releasesTheJobUncounted() {
        transactions.refusal = StoreException.unavailable("no connection", new IllegalStateException());

        JobId id = run(atomic().delivery(Delivery.AT_MOST_ONCE), (arguments, job) -> null);

        assertThat(calls).isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();
        assertThat(station.events).isEmpty();
    }

    @Test
    void transactionThatIsRefusedForGood_isAFailure() {
        transactions.refusal = StoreException.refused("no transactions", new IllegalStateException());

        JobId id = run(atomic(), (arguments, job) -> null);

        assertThat(calls).isZero();
        assertThat(station.job(id).failures()).isEqualTo(1);
    }

    @Test
    void runThatExpiredWhileItWaitedForAConnection_isNotCalled_andTheNextClaimLeavesItOut() {
        transactions.beforeBegin = () -> station.clock.advance(Duration.ofMinutes(2));

        JobId id = run(
                atomic().expiresAfter(Duration.ofMinutes(1)),
                GivenJob.given().schedule(Repeat.every(Duration.ofHours(1))),
                (arguments, job) -> null);

        assertThat(calls).isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).run()).isEqualTo(1);

        again(id, Duration.ZERO);
        assertThat(calls).isZero();
        assertThat(station.job(id).run()).isEqualTo(2);
        assertThat(station.rows.attempts(id, 9))
                .extracting(AttemptRecord::outcome)
                .containsExactly("EXPIRED");
    }

    @Test
    void instanceThatFellSilentWhileItWaitedForAConnection_doesNotStart() {
        transactions.beforeBegin = () -> station.alive = false;

        JobId id = run(atomic(), (arguments, job) -> null);
        station.claimer.close();

        assertThat(calls).isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 35})
    void waitForAConnection_doesNotCountForTheTimeOut(int seconds) {
        transactions.beforeBegin = () -> later(Duration.ofSeconds(seconds));

        JobId id =
                run(atomic().timeout(Duration.ofSeconds(30)).delivery(Delivery.AT_MOST_ONCE), (arguments, job) -> null);

        assertThat(calls).isOne();
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void stopWhileItWaitsForAConnection_preventsItsStart() {
        transactions.beforeBegin = () -> station.attempts.drain(Duration.ZERO, Duration.ZERO);

        JobId id = run(atomic(), (arguments, job) -> null);
        station.claimer.close();

        assertThat(calls).isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();
    }

    @Test
    void cancellationWhileItWaitsForAConnection_isKnownToTheHandler() {
        List<Boolean> seen = new ArrayList<>();
        DueRow[] row = new DueRow[1];
        transactions.beforeBegin =
                () -> assertThat(station.requestCancel(Set.of(row[0].id()))).isEmpty();
        station.handler(atomic().calls((arguments, job) -> {
            seen.add(job.isCancelRequested());
            return null;
        }));
        row[0] = station.due("a");
        station.offer(List.of(row[0]));
        station.work();

        assertThat(seen).containsExactly(true);
    }

    @Test
    void stopWhileItWaitsForAConnection_endsTheWait() {
        List<Boolean> interrupted = new ArrayList<>();
        transactions.beforeBegin = () -> {
            station.attempts.drain(Duration.ZERO, Duration.ZERO);
            interrupted.add(Thread.currentThread().isInterrupted());
            throw StoreException.unavailable("interrupted", new InterruptedException());
        };

        JobId id = run(atomic().delivery(Delivery.AT_MOST_ONCE), (arguments, job) -> null);
        station.claimer.close();

        assertThat(interrupted).containsExactly(true);
        assertThat(Thread.interrupted())
                .as("an interruption that reaches the next job")
                .isFalse();
        assertThat(calls).isZero();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();
    }

    // ---- pending writes of the handler

    /** For example, a JPA entity violates a constraint. */
    @Test
    void writeThatTheDatabaseRefuses_isAFailureOfTheHandler() {
        transactions.flush = () -> {
            throw new ArithmeticException("constraint");
        };
        RetryPolicy retry = RetryPolicy.gaps(Duration.ofSeconds(10));

        JobId retried = run(atomic().retry(retry.includes(ArithmeticException.class)), (arguments, job) -> null);
        station.handler(Handler.named("b").atomic(true).retry(retry).calls((arguments, job) -> null));
        station.handler(Handler.named("c")
                .atomic(true)
                .retry(retry.excludes(ArithmeticException.class))
                .calls((arguments, job) -> null));
        JobId retriedToo = station.run(GivenJob.given().name("b"));
        JobId excluded = station.run(GivenJob.given().name("c"));

        assertThat(List.of(retried, retriedToo, excluded))
                .extracting(station::state)
                .containsExactly(JobState.DELAYED, JobState.DELAYED, JobState.FAILED);
        assertThat(transactions.effects).isEmpty();
        assertThat(station.store.calls("complete"))
                .as("no commit was tried, so none is in doubt")
                .allSatisfy(call -> assertThat(call.<Completion>rows())
                        .extracting(end -> end.outcome().label())
                        .containsExactly("FAILED"));
    }

    @Test
    void writeThatTakesLongerThanTheTimeOut_isNotCommitted() {
        transactions.flush = () -> later(Duration.ofSeconds(30));

        JobId id = run(atomic().timeout(Duration.ofSeconds(30)), (arguments, job) -> null);

        assertThat(transactions.effects).isEmpty();
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(station.rows.attempts(id, 1).get(0).failure().type()).isEqualTo("TimedOut");
    }

    // ---- timeouts and the stop

    private void later(Duration time) {
        station.clock.advance(time);
        station.timeouts.doWork();
        station.completer.doWork();
    }

    @Test
    void timeout_alsoLimitsTheTransaction() {
        run(atomic().timeout(Duration.ofSeconds(30)), (arguments, job) -> null);

        assertThat(transactions.timeouts).containsExactly(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 35})
    void attemptThatEndsAfterItsTimeOut_isNotCommitted(int seconds) {
        JobId id = run(atomic().timeout(Duration.ofSeconds(30)), (arguments, job) -> {
            later(Duration.ofSeconds(seconds));
            return null;
        });

        assertThat(transactions.effects).isEmpty();
        Job job = station.job(id);
        assertThat(job.state()).isEqualTo(JobState.DELAYED);
        assertThat(job.failures()).isEqualTo(1);
        assertThat(job.inDoubt()).as("it has ended").isZero();
        assertThat(station.rows.attempts(id, 1).get(0).failure().type()).isEqualTo("TimedOut");
        assertThat(Thread.interrupted())
                .as("an interruption that reaches the next job")
                .isFalse();
    }

    @Test
    void timeOutDuringTheCommit_comesTooLate() {
        transactions.beforeCommit = () -> later(Duration.ofMinutes(1));

        JobId id = run(atomic().timeout(Duration.ofSeconds(30)), (arguments, job) -> null);

        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
        assertThat(station.job(id).inDoubt()).isZero();
        assertThat(station.events).doesNotContain("fenced a");
    }

    @ParameterizedTest
    @EnumSource(Delivery.class)
    void attemptThatTheStopInterrupts_isRolledBack(Delivery delivery) {
        JobId id = run(atomic().delivery(delivery), (arguments, job) -> {
            station.attempts.drain(Duration.ZERO, Duration.ZERO);
            throw new InterruptedException();
        });
        station.claimer.close();

        boolean repeatable = delivery == Delivery.AT_LEAST_ONCE;
        assertThat(transactions.effects).isEmpty();
        assertThat(station.state(id)).isEqualTo(repeatable ? JobState.DELAYED : JobState.FAILED);
        assertThat(station.job(id).failures()).isZero();
    }

    @Test
    void attemptThatSucceedsDespiteTheStop_isCommitted() {
        JobId id = run(atomic(), (arguments, job) -> {
            station.attempts.drain(Duration.ZERO, Duration.ZERO);
            return null;
        });

        assertThat(transactions.effects).containsExactly("effect 1");
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
    }

    // ---- at most once

    @Test
    void atMostOnce_thatFailsIsNotRepeated() {
        transactions.loseAnswer(false);

        JobId id = run(atomic().delivery(Delivery.AT_MOST_ONCE), (arguments, job) -> null);

        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
        assertThat(transactions.effects).isEmpty();
    }
}
