package io.delayjob.test;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Answer;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.Next;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Tests handlers whose work goes on in another system, and its answers. There is a test for each row of the table of
 * events.
 */
class AnswerInVirtualTimeTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final List<AnswerResult> told = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final List<Job> fenced = new ArrayList<>();
    private final DelayJobTester tester = DelayJobTester.builder()
            .time(time)
            .store(store)
            .settings(settings -> settings.attempts(AttemptLog.ALL))
            .listener(new Ears())
            .build();
    private final Instant start = tester.now();
    private final List<AnswerTicket> tickets = new ArrayList<>();

    private final class Ears implements JobListener {

        @Override
        public void answered(AnswerResult result) {
            told.add(result);
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            ends.add(outcome.label());
        }

        @Override
        public void fenced(Job job) {
            fenced.add(job);
        }
    }

    private Handler.Builder handler() {
        return Handler.named("ship").retry(RetryPolicy.gaps(ofMinutes(10), ofMinutes(10)));
    }

    /** Returns a handler that keeps its ticket for the test, and awaits an answer for an hour. */
    private JobHandler handsOut() {
        return (arguments, job) -> {
            tickets.add(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        };
    }

    private JobId parked() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations().schedule("ship").now().id();
        tester.runDue();
        return id;
    }

    private Job job(JobId id) {
        return tester.operations().find(id).orElseThrow();
    }

    private AnswerResult answer(AnswerTicket ticket, Answer answer) {
        return tester.operations().answer(ticket, answer);
    }

    private List<String> log(JobId id) {
        return store.attempts(id, 20).stream()
                .map(line -> line.attempt() + " " + line.outcome())
                .toList();
    }

    @Test
    void awaitingJob_takesNoSlot() {
        JobId id = parked();

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(job(id).awaitedUntil()).isEqualTo(start.plus(ofHours(1)));
        assertThat(job(id).owner()).isZero();
        assertThat(tester.engine().status().attempts()).isZero();
        assertThat(tester.operations().find(JobQuery.state(JobState.AWAITING)).jobs())
                .extracting(Job::id)
                .containsExactly(id);
        assertThat(tester.operations().find(JobQuery.state(JobState.DELAYED)).jobs())
                .isEmpty();
        assertThat(store.counts(tester.now()).in(JobState.AWAITING)).isEqualTo(1);
        assertThat(store.counts(tester.now()).in(JobState.DELAYED)).isZero();
        assertThat(tickets).containsExactly(new AnswerTicket(id, start, 1, 1));
    }

    @Test
    void done_finishesTheRun() {
        JobId id = parked();
        tester.advance(ofMinutes(59));

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(id).endedAt()).isEqualTo(start.plus(ofMinutes(59)));
        assertThat(job(id).inDoubt()).isZero();
        assertThat(log(id)).containsExactly("1 SUCCEEDED", "1 AWAITED");
        assertThat(told).containsExactly(AnswerResult.TAKEN);
        assertThat(ends).containsExactly("AWAITED", "SUCCEEDED");
        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(1);
    }

    @Test
    void done_isFollowedByTheNextRunAsPlanned() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();
        tester.advance(ofHours(3));
        tester.advance(ofMinutes(30));

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).dueAt()).isEqualTo(start.plus(ofHours(6)));
        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);
        tester.advanceTo(start.plus(ofHours(6)));
        assertThat(tickets.get(1).run()).isEqualTo(2);
    }

    @Test
    void answerOfANext_hasTheSameEffectAsTheReturnValueOfTheHandler() {
        JobId id = parked();

        assertThat(answer(tickets.get(0), Answer.of(Next.after(ofHours(5))))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).dueAt()).isEqualTo(start.plus(ofHours(5)));
        tester.advance(ofHours(5));
        assertThat(answer(tickets.get(1), Answer.of(Next.snooze(ofMinutes(7))))).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).failures()).isZero();
        tester.advance(ofMinutes(7));
        assertThat(answer(tickets.get(2), Answer.of(Next.stop()))).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void snoozeByAnswer_isLimitedLikeASnoozeOfTheHandler() {
        tester.register(handler().maxSnooze(ofMinutes(5)).calls(handsOut()));
        JobId id = tester.operations().schedule("ship").now().id();
        tester.runDue();

        answer(tickets.get(0), Answer.of(Next.snooze(ofMinutes(6))));

        assertThat(job(id).failures()).isEqualTo(1);
    }

    @Test
    void failed_isRetriedByPolicy() {
        JobId id = parked();
        tester.advance(ofMinutes(5));

        assertThat(answer(tickets.get(0), Answer.failed("no van"))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(id).failures()).isEqualTo(1);
        assertThat(job(id).dueAt()).isEqualTo(start.plus(ofMinutes(15)));
        AttemptRecord line = store.attempts(id, 1).get(0);
        assertThat(line.failure().toString()).isEqualTo("AnsweredAsFailed: no van");
        tester.advance(ofMinutes(10));
        assertThat(tickets).hasSize(2);
    }

    @Test
    void failedForGood_isADeadLetterAtOnce() {
        JobId id = parked();

        assertThat(answer(tickets.get(0), Answer.failedForGood("no such address")))
                .isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().message()).isEqualTo("no such address");
    }

    @Test
    void stillWorking_movesTheDeadline() {
        JobId id = parked();
        tester.advance(ofMinutes(50));

        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(2)))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(job(id).awaitedUntil()).isEqualTo(start.plus(ofMinutes(170)));
        tester.advance(ofMinutes(119));
        assertThat(tickets).hasSize(1);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void missingAnswer_isAFailureExactlyAtTheDeadline() {
        JobId id = parked();

        tester.advance(ofHours(1).minus(ofMillis(1)));
        assertThat(job(id).failures()).isZero();
        tester.advance(ofMillis(1));

        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(id).failures()).isEqualTo(1);
        assertThat(job(id).inDoubt()).isEqualTo(1);
        assertThat(job(id).dueAt()).isEqualTo(start.plus(ofMinutes(70)));
        assertThat(store.attempts(id, 1).get(0).failure().type()).isEqualTo("NotAnswered");
        assertThat(tickets).hasSize(1);
        tester.advance(ofMinutes(10));
        assertThat(tickets).hasSize(2);
        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(3);
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().type()).isEqualTo("NotAnswered");
    }

    @Test
    void missingAnswer_failsAJobThatMayBeAttemptedOnce() {
        tester.register(Handler.named("ship").delivery(Delivery.AT_MOST_ONCE).calls(handsOut()));
        JobId id = tester.operations().schedule("ship").now().id();

        tester.advance(ofDays(1));

        assertThat(tickets).hasSize(1);
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(job(id).failure().type()).isEqualTo("NotAnswered");
    }

    @Test
    void failedAnswer_failsAJobThatMayBeAttemptedOnce() {
        tester.register(Handler.named("ship").delivery(Delivery.AT_MOST_ONCE).calls(handsOut()));
        JobId id = tester.operations().schedule("ship").now().id();
        tester.runDue();

        answer(tickets.get(0), Answer.failed("no van"));

        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void lateDone_betweenRetriesOrDuringALaterAttempt_endsTheRun() {
        JobId inBackOff = parked();
        tester.advance(ofMinutes(65));
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(inBackOff).state()).isEqualTo(JobState.FINISHED);
        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(1);

        JobId parkedAgain = tester.operations().schedule("ship").now().id();
        tester.advance(ofMinutes(75));
        assertThat(tickets).hasSize(3);
        assertThat(answer(tickets.get(1), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(parkedAgain).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(parkedAgain).inDoubt()).isEqualTo(2);
        assertThat(answer(tickets.get(2), Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);
        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(3);
    }

    /**
     * After NotAnswered, the row is the same as after a timeout of a handler that still runs, as in the next test. So
     * it is unknown whether {@code inDoubt} may be lowered, and {@code cancel} stays careful.
     */
    @Test
    void lateDone_ofARepeatingJob_doesNotLowerTheDoubt() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();
        tester.advance(ofHours(4).plusMinutes(5));
        assertThat(job(id).inDoubt()).isEqualTo(1);

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).inDoubt()).isEqualTo(1);
        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
    }

    @Test
    void lateDone_whileTheTimedOutHandlerStillRuns_keepsTheDoubtUntilItReturns() {
        CompletableFuture<Next> call = new CompletableFuture<>();
        tester.register(handler().timeout(ofSeconds(30)).calls((arguments, job) -> {
            tickets.add(job.ticket());
            return call;
        }));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();
        tester.advance(ofHours(3).plusSeconds(36));
        assertThat(job(id).inDoubt()).isEqualTo(1);

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).inDoubt()).as("the call goes on").isEqualTo(1);
        call.complete(Next.asPlanned());
        tester.runDue();
        assertThat(job(id).inDoubt()).as("the call has returned").isZero();
        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void lateFailureOrHeartbeat_changesNothing() {
        JobId id = parked();
        tester.advance(ofMinutes(65));
        Job inBackOff = job(id);

        assertThat(answer(tickets.get(0), Answer.failed("late"))).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(1)))).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(job(id)).isEqualTo(inBackOff);

        tester.advance(ofMinutes(10));
        Job parkedAgain = job(id);
        assertThat(answer(tickets.get(0), Answer.failed("late"))).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(1)))).isEqualTo(AnswerResult.NOT_AWAITED);
        assertThat(job(id)).isEqualTo(parkedAgain);
        assertThat(told).hasSize(4).containsOnly(AnswerResult.NOT_AWAITED);
    }

    @Test
    void sameAnswerTwice_changesNothing() {
        JobId id = parked();
        answer(tickets.get(0), Answer.failed("no van"));
        Job inBackOff = job(id);

        assertThat(answer(tickets.get(0), Answer.failed("no van"))).isEqualTo(AnswerResult.NOT_AWAITED);

        assertThat(job(id)).isEqualTo(inBackOff);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);
    }

    @Test
    void unknownJob_isNotFound() {
        AnswerTicket ticket = new AnswerTicket(JobId.parse("018f0000-0000-7000-8000-000000000000"), start, 1, 1);

        assertThat(answer(ticket, Answer.done())).isEqualTo(AnswerResult.NOT_FOUND);
        assertThat(told).containsExactly(AnswerResult.NOT_FOUND);
    }

    @Test
    void answerBeforeTheHandlerReturned_isAccepted_andLeavesNoDoubt() {
        List<AnswerResult> results = new ArrayList<>();
        List<CancelResult> cancels = new ArrayList<>();
        tester.register(handler().calls((arguments, job) -> {
            AnswerTicket ticket = job.ticket();
            results.add(answer(ticket, Answer.done()));
            assertThat(job(job.id()).inDoubt()).isEqualTo(1);
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();

        tester.advance(ofHours(3));

        assertThat(results).containsExactly(AnswerResult.TAKEN);
        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(id).inDoubt()).isZero();
        assertThat(fenced).isEmpty();
        cancels.add(tester.operations().cancel(id));
        assertThat(cancels).containsExactly(CancelResult.CANCELLED);
    }

    @Test
    void failureOfAHandlerThatWasAnsweredBefore_isIgnored() {
        tester.register(handler().calls((arguments, job) -> {
            answer(job.ticket(), Answer.stillWorking(ofHours(2)));
            throw new IllegalStateException("The answer to the call was lost.");
        }));
        JobId id = tester.operations().schedule("ship").now().id();

        tester.runDue();

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(job(id).awaitedUntil()).isEqualTo(start.plus(ofHours(2)));
        assertThat(job(id).failures()).isZero();
        assertThat(job(id).inDoubt()).isZero();
        assertThat(fenced).isEmpty();
    }

    @Test
    void stageThatEndsWithAwaitAnswer_letsTheJobAwaitItsAnswer() {
        CompletableFuture<Next> accepted = new CompletableFuture<>();
        tester.register(handler().calls((arguments, job) -> accepted));
        JobId id = tester.operations().schedule("ship").now().id();
        tester.runDue();

        accepted.complete(Next.awaitAnswer(ofHours(1)));
        tester.runDue();

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
    }

    @Test
    void cancel_endsTheJob_andTheNextAnswerReturnsCancelled() {
        JobId id = parked();

        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);
        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);

        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(1)))).isEqualTo(AnswerResult.CANCELLED);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.CANCELLED);
        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(1);
    }

    @Test
    void cancelledWhileTheHandlerRuns_theAnswerReturnsCancelled_andTheJobEnds() {
        List<AnswerResult> results = new ArrayList<>();
        tester.register(handler().calls((arguments, job) -> {
            assertThat(tester.operations().cancel(job.id())).isEqualTo(CancelResult.RUNNING);
            results.add(answer(job.ticket(), Answer.stillWorking(ofHours(1))));
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations().schedule("ship").now().id();

        tester.runDue();

        assertThat(results).containsExactly(AnswerResult.CANCELLED);
        assertThat(told).containsExactly(AnswerResult.CANCELLED);
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void changesByHand_treatAnAwaitingJobLikeARunningJob() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations().schedule("ship").key(7).now().id();
        tester.runDue();

        assertThat(tester.operations().reschedule(id, ofDays(1))).isEqualTo(ChangeResult.RUNNING);
        assertThat(tester.operations().retry(id)).isEqualTo(ChangeResult.RUNNING);
        assertThat(tester.operations().schedule("ship").key(7).now().outcome()).isEqualTo(Scheduled.Outcome.KEPT);
        Scheduled replacement =
                tester.operations().schedule("ship").key(7, OnExisting.REPLACE).after(ofDays(1));

        assertThat(replacement.outcome()).isEqualTo(Scheduled.Outcome.CREATED);
        assertThat(job(id).key()).isNull();
        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(replacement.id()).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void ticketOfAReplacedJob_isNotAccepted() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations().schedule("ship").key(7).now().id();
        tester.runDue();
        answer(tickets.get(0), Answer.failed("no van"));
        tester.advance(ofMinutes(1));
        Scheduled replaced =
                tester.operations().schedule("ship").key(7, OnExisting.REPLACE).after(ofDays(1));
        assertThat(replaced.id()).isEqualTo(id);

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);

        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void cancellationOfWaitingJobs_sparesAnAwaitingJob_andCancellationOfAwaitingJobsEndsIt() {
        JobId id = parked();

        assertThat(tester.operations().cancel(JobQuery.state(JobState.DELAYED)).changed())
                .isZero();
        assertThat(tester.operations().cancel(JobQuery.state(JobState.AWAITING)).changed())
                .isEqualTo(1);

        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void instanceThatDiesAfterTheCalleeAccepted_isNotNeededForTheAnswer() {
        Cluster cluster = new Cluster();
        List<AnswerTicket> handedOut = new ArrayList<>();
        Cluster.Member[] doomed = new Cluster.Member[1];
        doomed[0] = cluster.join("doomed");
        doomed[0].tester().register(Handler.named("ship").calls((arguments, job) -> {
            handedOut.add(job.ticket());
            doomed[0].process().kill();
            return Next.awaitAnswer(ofHours(1));
        }));
        cluster.time.advance(ofSeconds(30));
        JobId id = doomed[0].tester().operations().schedule("ship").now().id();
        cluster.time.advance(ofSeconds(1));
        Cluster.Member heir = cluster.join("heir");
        heir.tester().register(Handler.named("ship").calls((arguments, job) -> {
            handedOut.add(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        }));
        cluster.time.advance(ofMinutes(3));
        assertThat(handedOut).extracting(AnswerTicket::run).containsExactly(1, 1);

        AnswerResult late = heir.tester().operations().answer(handedOut.get(0), Answer.done());

        assertThat(late).isEqualTo(AnswerResult.TAKEN);
        Job ended = heir.tester().operations().find(id).orElseThrow();
        assertThat(ended.state()).isEqualTo(JobState.FINISHED);
        cluster.time.advance(ofHours(3));
        assertThat(handedOut).hasSize(2);
    }

    @Test
    void instanceThatDiesWithTheClaimAtTheDeadline_leavesOneFailure() {
        Cluster cluster = new Cluster();
        List<Instant> calls = new ArrayList<>();
        Cluster.Member doomed = cluster.join("doomed");
        doomed.tester().register(Handler.named("ship").calls((arguments, job) -> {
            calls.add(job.dueAt());
            return Next.awaitAnswer(ofMinutes(5));
        }));
        cluster.time.advance(ofSeconds(30));
        JobId id = doomed.tester().operations().schedule("ship").now().id();
        cluster.time.advance(ofSeconds(1));
        Job parked = cluster.memory.find(id).orElseThrow();
        long owner = cluster.memory.instances().register("lost", Set.of("default"), Set.of());
        cluster.memory.claim(List.of(parked.toDueRow()), owner, 7, parked.dueAt());
        cluster.memory.instances().deregister(owner);

        cluster.time.advance(ofMinutes(6));

        assertThat(calls).hasSize(2);
        assertThat(cluster.memory.find(id).orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void pausedHandler_takesAnswersWhileTheDeadlineWaits() {
        JobId answered = parked();
        JobId silent = tester.operations().schedule("ship").now().id();
        tester.runDue();
        tester.operations().pause("ship");
        tester.advance(ofHours(3));
        assertThat(job(silent).state()).isEqualTo(JobState.AWAITING);

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
        assertThat(job(answered).state()).isEqualTo(JobState.FINISHED);

        tester.operations().resume("ship");
        tester.advance(ofHours(2));
        assertThat(log(silent)).contains("1 TIMED_OUT");
    }

    @Test
    void mergedRuns_areAnsweredTogether() {
        List<AnswerResult> results = new ArrayList<>();
        List<Integer> runs = new ArrayList<>();
        tester.register(handler().calls((arguments, job) -> {
            runs.add(job.run());
            results.add(answer(job.ticket(), Answer.done()));
            return Next.awaitAnswer(ofHours(1));
        }));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofMinutes(10)))
                .id();
        tester.operations().pause("ship");
        tester.advance(ofMinutes(65));

        tester.operations().resume("ship");
        tester.advance(ofMinutes(2).plus(ofHours(1)));

        assertThat(results).isNotEmpty().containsOnly(AnswerResult.TAKEN);
        assertThat(runs).startsWith(6, 7).doesNotHaveDuplicates();
        assertThat(job(id).run()).isGreaterThan(7);
        assertThat(job(id).plannedAt()).isEqualTo(start.plus(ofMinutes(10).multipliedBy(job(id).run())));
    }

    private AnswerResult answerElsewhere(Answer answer) {
        DelayJobTester elsewhere = DelayJobTester.builder()
                .name("elsewhere")
                .time(time)
                .store(store)
                .build();
        return elsewhere.operations().answer(tickets.get(0), answer);
    }

    @Test
    void instanceWithoutTheHandler_leavesAFailureToAnInstanceWithTheHandler() {
        JobId id = parked();

        assertThat(answerElsewhere(Answer.failed("no van"))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(store.attempts(id, 1).get(0).failure().message()).isEqualTo("no van");
        tester.advance(ofHours(2));
        assertThat(log(id)).endsWith("1 TIMED_OUT", "1 FAILED", "1 AWAITED");
        assertThat(tickets).as("the handler is called again").hasSizeGreaterThan(1);
    }

    @Test
    void instanceWithoutTheHandler_causesNoSecondAttempt() {
        tester.register(Handler.named("ship").delivery(Delivery.AT_MOST_ONCE).calls(handsOut()));
        JobId id = tester.operations().schedule("ship").now().id();
        tester.runDue();

        assertThat(answerElsewhere(Answer.failed("no van"))).isEqualTo(AnswerResult.TAKEN);

        tester.advance(ofDays(1));
        assertThat(tickets).hasSize(1);
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void instanceWithoutTheHandler_answersByTheJobsOwnPolicy() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations()
                .schedule("ship")
                .retry(RetryPolicy.gaps(ofMinutes(3)))
                .now()
                .id();
        tester.runDue();

        assertThat(answerElsewhere(Answer.failed("no van"))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(id).failures()).isEqualTo(1);
        assertThat(job(id).dueAt()).isEqualTo(start.plus(ofMinutes(3)));
    }

    private Job claimedElsewhere(JobId id) {
        long other = store.instances().register("other", Set.of("default"), Set.of());
        Job parked = job(id);
        store.claim(List.of(parked.toDueRow()), other, 7, parked.dueAt());
        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        return parked;
    }

    @Test
    void releasedClaimAtTheDeadline_keepsTheTicketValid() {
        JobId id = parked();
        Job parked = claimedElsewhere(id);
        store.release(List.of(parked.toDueRow()), 7, 8, tester.now());

        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(2)))).isEqualTo(AnswerResult.TAKEN);
        assertThat(answer(tickets.get(0), Answer.failed("no van"))).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).failures()).isEqualTo(1);
        assertThat(job(id).inDoubt()).isZero();
    }

    @Test
    void doneWhileTheDeadlineIsClaimed_leavesNoDoubt() {
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();
        tester.advance(ofHours(3));
        claimedElsewhere(id);

        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);

        assertThat(job(id).run()).isEqualTo(2);
        assertThat(job(id).inDoubt()).isZero();
        assertThat(tester.operations().cancel(id)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void jobAnsweredBetweenAPageAndItsCancellation_keepsItsNextRun() {
        List<Runnable> afterPage = new ArrayList<>();
        DelayJobTester busy = DelayJobTester.builder()
                .name("busy")
                .time(time)
                .store(new ForwardingStore(store) {
                    @Override
                    public JobPage find(JobQuery query, Instant now) {
                        JobPage page = super.find(query, now);
                        afterPage.forEach(Runnable::run);
                        return page;
                    }
                })
                .build();
        tester.register(handler().calls(handsOut()));
        JobId id = tester.operations()
                .schedule("ship")
                .repeat(Repeat.every(ofHours(3)))
                .id();
        tester.advance(ofHours(3));
        afterPage.add(() -> answer(tickets.get(0), Answer.done()));

        assertThat(busy.operations().cancel(JobQuery.state(JobState.AWAITING)).changed())
                .isZero();

        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(job(id).run()).isEqualTo(2);
    }

    @Test
    void answerWhoseFirstTransactionWasRepeated_isReportedAsItsResultSays() {
        List<AnswerResult> heard = new ArrayList<>();
        DelayJobTester unlucky = DelayJobTester.builder()
                .name("unlucky")
                .time(time)
                .store(new ForwardingStore(store) {
                    @Override
                    public AnswerResult answer(
                            JobId id, Function<Job, Completion> end, Consumer<Completion> committed) {
                        assertThat(end.apply(job(id))).isNotNull();
                        store.answer(id, end, first -> {});
                        return store.answer(id, end, committed);
                    }
                })
                .listener(new JobListener() {
                    @Override
                    public void answered(AnswerResult result) {
                        heard.add(result);
                    }
                })
                .build();
        parked();

        assertThat(unlucky.operations().answer(tickets.get(0), Answer.failedForGood("no van")))
                .isEqualTo(AnswerResult.NOT_AWAITED);

        assertThat(heard).containsExactly(AnswerResult.NOT_AWAITED);
    }

    @Test
    void atomicHandlersTicketAndBadInput_areRefusedWithAReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Next.awaitAnswer(Duration.ZERO))
                .withMessage(
                        "Invalid time PT0S for an answer: must be 1 ms or more; the attempt fails when it is over.");
        assertThatIllegalArgumentException().isThrownBy(() -> Answer.failed(null));
        assertThatIllegalArgumentException().isThrownBy(() -> answer(null, Answer.done()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AnswerTicket(parked(), start, 0, 1))
                .withMessageContaining("both must be 1 or more");
    }

    @Test
    void restart_losesNoAnswer() {
        JobId id = parked();
        tester.engine().stop();

        assertThat(answer(tickets.get(0), Answer.stillWorking(ofHours(3)))).isEqualTo(AnswerResult.TAKEN);
        tester.advance(ofHours(2));
        tester.engine().start();
        tester.advance(ofSeconds(1));

        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
        assertThat(answer(tickets.get(0), Answer.done())).isEqualTo(AnswerResult.TAKEN);
    }
}
