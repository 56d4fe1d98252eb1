package io.delayjob.internal.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import io.delayjob.settings.AttemptLog;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CompleterTest {

    private static final JobOutcome SUCCEEDED = new JobOutcome.Succeeded();
    private static final JobOutcome FAILED = new JobOutcome.Failed(Failure.of("Broken", "poison"), true);
    private static final RetryPolicy POLICY = RetryPolicy.gaps(Duration.ofSeconds(10));

    private final HandClock clock = new HandClock();
    private final RandomGenerator random = new SplittableRandom(5);
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private final List<DueRow> handedOver = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final Completions completions =
            new Completions(clock, random, AttemptLog.ALL, true, String::valueOf, (step, result) -> step);
    private int wakes;
    private long handedOverAsOfNanos;
    private final Completer completer = new Completer(
            store.asStore(),
            (rows, asOfNanos) -> {
                events.add("handed over");
                handedOver.addAll(rows);
                handedOverAsOfNanos = asOfNanos;
                return List.of();
            },
            new JobListeners(List.of(new JobListener() {
                @Override
                public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                    events.add(
                            outcome.label() + " " + (next instanceof Transition.Ended ended ? ended.state() : "AGAIN"));
                }

                @Override
                public void fenced(Job job) {
                    events.add("fenced");
                }
            })),
            clock,
            100,
            () -> this.wakes++);
    private final long number = rows.instances().register("one#1", Set.of("default"), Set.of());
    private int lastId;

    // ---- batches

    @Test
    void singleEnd_isWrittenAtOnce_andNothingIsLeftToDo() {
        JobId id = end(claimed(), SUCCEEDED);
        assertThat(wakes).isEqualTo(1);
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(state(id)).isEqualTo(JobState.FINISHED);
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void collectedEnds_areWrittenTogetherUpToTheBatchSize() {
        for (int i = 0; i < 250; i++) {
            end(claimed(), SUCCEEDED);
        }
        assertThat(completer.backlog()).isEqualTo(250);
        assertThat(completer.doWork()).isZero();
        assertThat(completer.backlog()).isEqualTo(150);
        writeAll();
        assertThat(store.calls("complete"))
                .extracting(call -> call.rows().size())
                .containsExactly(100, 100, 50);
    }

    @Test
    void endsAfterAWrite_areCollectedForNineTimesAsLongAsItTook() {
        store.during("complete", () -> {
            clock.advanceMillis(1);
            if (rows.find(GivenJob.id(2)).isEmpty()) {
                end(claimed(), SUCCEEDED);
            }
        });
        end(claimed(), SUCCEEDED);
        assertThat(Duration.ofNanos(completer.doWork())).isEqualTo(Duration.ofMillis(9));
        wakes = 0;
        end(claimed(), SUCCEEDED);
        assertThat(wakes).as("the agent needs no wake-up").isZero();
        clock.advanceMillis(7);
        assertThat(Duration.ofNanos(completer.doWork())).isEqualTo(Duration.ofMillis(2));
        clock.advanceMillis(2);
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(store.calls("complete"))
                .extracting(call -> call.rows().size())
                .containsExactly(1, 2);
        clock.advanceMillis(9);
        end(claimed(), SUCCEEDED);
        assertThat(wakes).isEqualTo(1);
    }

    @Test
    void manyEnds_areWrittenWithoutARest() {
        store.during("complete", () -> clock.advanceMillis(3));
        for (int i = 0; i < 150; i++) {
            end(claimed(), SUCCEEDED);
        }
        assertThat(completer.doWork()).isZero();
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        end(claimed(), SUCCEEDED);
        assertThat(completer.doWork()).isPositive();
        wakes = 0;
        for (int i = 0; i < 49; i++) {
            end(claimed(), SUCCEEDED);
        }
        assertThat(wakes).isEqualTo(1);
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void noRest_isLongerThanTenMilliseconds() {
        store.during("complete", () -> clock.advance(Duration.ofSeconds(2)));
        end(claimed(), SUCCEEDED);
        completer.doWork();
        end(claimed(), SUCCEEDED);
        assertThat(Duration.ofNanos(completer.doWork())).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void endThatLeavesADueJob_restsForFourTimesAsLongAsTheWriteTookOrFiveMilliseconds() {
        for (int writeMillis : new int[] {1, 2_000}) {
            long shortMillis = Math.min(4 * writeMillis, 5);
            store.during("complete", () -> clock.advanceMillis(writeMillis));
            clock.advanceMillis(10);
            end(claimed(), SUCCEEDED);
            completer.doWork();
            end(claimed(), SUCCEEDED);
            clock.advanceMillis(1);
            assertThat(completer.doWork()).as("it rests").isPositive();
            wakes = 0;
            end(claimed(), new JobOutcome.Snoozed(Duration.ofMillis(1)));
            assertThat(wakes).as("the rest is shorter now").isEqualTo(1);
            assertThat(Duration.ofNanos(completer.doWork())).isEqualTo(Duration.ofMillis(shortMillis - 1));
            end(claimed(), new JobOutcome.Snoozed(Duration.ofMillis(1)));
            assertThat(wakes).as("it is short already").isEqualTo(1);
            clock.advanceMillis(shortMillis - 1);
            completer.doWork();
            assertThat(completer.backlog()).isZero();
            end(claimed(), SUCCEEDED);
            assertThat(Duration.ofNanos(completer.doWork()))
                    .as("the next rest is as long as usual")
                    .isEqualTo(Duration.ofMillis(Math.min(9 * writeMillis, 10)));
            clock.advanceMillis(10);
            completer.doWork();
        }
    }

    @Test
    void endThatLeavesAJobOfLater_doesNotShortenTheRest() {
        store.during("complete", () -> clock.advanceMillis(1));
        end(claimed(), SUCCEEDED);
        completer.doWork();
        end(claimed(), SUCCEEDED);
        completer.doWork();
        wakes = 0;
        end(claimed(), FAILED);
        assertThat(wakes).isZero();
        assertThat(Duration.ofNanos(completer.doWork())).isEqualTo(Duration.ofMillis(9));
    }

    @Test
    void engineThatStops_waitsForNoRest() {
        store.during("complete", () -> clock.advanceMillis(3));
        completer.hurry();
        for (int i = 0; i < 120; i++) {
            end(claimed(), SUCCEEDED);
        }
        assertThat(completer.doWork()).isZero();
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        end(claimed(), SUCCEEDED);
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void engineThatStops_doesNotWaitForALateEndWhoseRowIsLocked() {
        Job job = claimed();
        end(job, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        work(2);
        store.lock(job.id());
        completer.addLateEnd(job.id());
        completer.hurry();
        assertThat(completer.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(store.calls("settleDoubt")).hasSize(1);
    }

    // ---- the store is unavailable

    @Test
    void batchWithoutAReply_isSentAgainUnchanged_inTurnWithOtherBatches() {
        JobId id = end(claimed(), FAILED);
        store.loseAnswerOf("complete").loseCallOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        end(claimed(), SUCCEEDED);
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        assertThat(completer.backlog()).isEqualTo(2);
        assertThat(handedOver).isEmpty();
        writeAll();
        List<FaultyStore.Call> calls = store.calls("complete");
        assertThat(calls).hasSize(4);
        assertThat(calls.get(1)).isEqualTo(calls.get(0));
        assertThat(calls.get(3)).as("after the other batch").isEqualTo(calls.get(0));
        assertThat(rows.find(id).orElseThrow().failures()).as("applied once").isEqualTo(1);
        assertThat(events).containsExactly("SUCCEEDED FINISHED", "FAILED AGAIN", "handed over");
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void rowThatWaitsAgain_isOlderThanAChangeBeforeTheReply() {
        end(claimed(), FAILED);
        long before = clock.nanoTime();
        store.during("complete", () -> clock.advanceMillis(10)).loseAnswerOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        writeAll();
        assertThat(handedOver).hasSize(1);
        assertThat(handedOverAsOfNanos)
                .as("the first try may have been applied")
                .isEqualTo(before);
    }

    @Test
    void rowThatItsOwnTransactionHasWritten_isOlderThanAChangeSinceThatTransaction() {
        Job job = claimed();
        EndedAttempt end = ended(job, FAILED);
        long began = clock.nanoTime();
        rows.complete(List.of(end.completion()));
        clock.advanceMillis(10);
        completer.addDecided(end, CompletionResult.ACCEPTED, began);
        writeAll();
        assertThat(handedOver).hasSize(1);
        assertThat(handedOverAsOfNanos).isEqualTo(began);
    }

    // ---- the store refuses

    @Test
    void refusedBatch_isHalvedDownToTheFailingRow_whichIsWrittenWithoutTexts() {
        List<JobId> healthy = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            healthy.add(end(claimed(), SUCCEEDED));
        }
        Job culprit = claimed();
        end(culprit, FAILED);
        store.refuse(
                writing(c -> c.failure() != null && "poison".equals(c.failure().message())));
        writeAll();
        assertThat(healthy).allMatch(id -> state(id) == JobState.FINISHED);
        Job retried = rows.find(culprit.id()).orElseThrow();
        assertThat(retried.state()).as("its retry goes on").isEqualTo(JobState.DELAYED);
        assertThat(retried.failures()).isEqualTo(1);
        assertThat(rows.attempts(culprit.id(), 10)).isEmpty();
        assertThat(store.calls("complete").size()).as("two for each halving").isLessThanOrEqualTo(2 * 8);
        assertThat(completer.backlog()).isZero();
        assertThat(handedOver).extracting(DueRow::id).containsExactly(culprit.id());
    }

    @Test
    void rowWhoseLinesAreRefused_isWrittenWithoutThem() {
        Job job = claimed();
        JobLog log = new JobLog(job.attempt(), List.of(new JobLog.Line(HandClock.START, "poison")));
        JobId id =
                end(job.with(job.task().withExtras(JobExtras.NONE.withLog(log).toText())), SUCCEEDED);
        store.refuse(writing(c -> c.job().log() != null));
        writeAll();
        assertThat(state(id)).isEqualTo(JobState.FINISHED);
        assertThat(rows.find(id).orElseThrow().log()).isNull();
    }

    @Test
    void rowThatIsRefusedWithoutTexts_isWrittenAsFailed() {
        Job culprit = claimed(Repeat.every(Duration.ofMinutes(1)));
        end(culprit, SUCCEEDED);
        JobId other = end(claimed(), SUCCEEDED);
        store.refuse(writing(c -> c.next() instanceof Transition.Again));
        writeAll();
        Job failed = rows.find(culprit.id()).orElseThrow();
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.failure()).as("a dead letter says why").isNotNull();
        assertThat(state(other)).isEqualTo(JobState.FINISHED);
        assertThat(handedOver).isEmpty();
    }

    @Test
    void rowThatCannotBeWritten_stopsNoOther_andIsWrittenUnchangedLater() {
        Job culprit = claimed();
        end(culprit, SUCCEEDED);
        JobId other = end(claimed(), SUCCEEDED);
        store.refuse(writing(c -> c.job().id().equals(culprit.id())));
        work(50);
        JobId later = end(claimed(), SUCCEEDED);
        work(1);
        assertThat(state(other)).isEqualTo(JobState.FINISHED);
        assertThat(state(later)).isEqualTo(JobState.FINISHED);
        assertThat(state(culprit.id())).isEqualTo(JobState.RUNNING);
        assertThat(completer.backlog()).as("it is not given up").isEqualTo(1);
        store.heal();
        writeAll();
        assertThat(state(culprit.id())).as("not as FAILED").isEqualTo(JobState.FINISHED);
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void refusalOfAllEnds_isReported_untilAnEndIsAccepted() {
        end(claimed(), SUCCEEDED);
        store.refuse(writing(c -> true));
        work(50);
        assertThat(completer.refusal()).isNotNull();
        assertThat(clock.nanoTime() - completer.refusal().sinceNanos())
                .as("since the first one")
                .isPositive();
        store.heal();
        writeAll();
        assertThat(completer.refusal()).isNull();
    }

    @Test
    void lockedRow_delaysNoOtherEnd() {
        Job held = claimed();
        end(held, SUCCEEDED);
        JobId other = end(claimed(), SUCCEEDED);
        store.lock(held.id());

        assertThat(completer.doWork()).as("pause before it is tried again").isPositive();

        assertThat(state(other)).isEqualTo(JobState.FINISHED);
        assertThat(state(held.id())).isEqualTo(JobState.RUNNING);
        assertThat(completer.backlog()).isEqualTo(1);
        assertThat(work(20)).as("it pauses between the tries").isGreaterThan(Duration.ofSeconds(10));
        JobId later = end(claimed(), SUCCEEDED);
        work(2);
        assertThat(state(later)).isEqualTo(JobState.FINISHED);
        store.unlock(held.id());
        writeAll();
        assertThat(state(held.id())).isEqualTo(JobState.FINISHED);
        assertThat(completer.backlog()).isZero();
        assertThat(events).hasSize(3);
    }

    @Test
    void batchThatFailsForAnUnknownReason_isHalvedDownToTheFailingRow_andDelaysNoOther() {
        Job culprit = claimed();
        List<JobId> others = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            others.add(end(claimed(), SUCCEEDED));
        }
        end(culprit, SUCCEEDED);
        store.fail(writing(c -> c.job().id().equals(culprit.id())), new IllegalStateException("a mistake"));

        int failures = 0;
        for (int i = 0; i < 30; i++) {
            JobId neighbour = end(claimed(), SUCCEEDED);
            failures += failuresUntilWritten(neighbour);
        }

        assertThat(others).allMatch(id -> state(id) == JobState.FINISHED);
        assertThat(failures)
                .as("failed calls, after each of which the agent would pause")
                .isLessThanOrEqualTo(2);
        assertThat(completer.backlog()).isEqualTo(1);
        store.heal();
        writeAll();
        assertThat(state(culprit.id())).as("not as FAILED").isEqualTo(JobState.FINISHED);
    }

    private int failuresUntilWritten(JobId neighbour) {
        int failures = 0;
        for (int round = 0; state(neighbour) == JobState.RUNNING; round++) {
            assertThat(round).as("rounds").isLessThan(3);
            try {
                clock.advanceMillis(10);
                completer.doWork();
            } catch (IllegalStateException reported) {
                failures++;
            }
        }
        return failures;
    }

    @Test
    void outage_isNotTreatedAsABadBatch() {
        for (int i = 0; i < 100; i++) {
            end(claimed(), SUCCEEDED);
        }
        store.timeOut(writing(c -> true));
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        }
        store.heal();
        store.forgetCalls();
        clock.advance(Duration.ofSeconds(2));
        writeAll();
        assertThat(completer.backlog()).isZero();
        assertThat(store.calls("complete").size()).as("batches grow again").isLessThan(25);
    }

    @Test
    void lockedRow_doesNotStopOtherDoubtsFromBeingSettled() {
        Job held = claimed();
        end(held, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        completer.addLateEnd(held.id());
        Job other = claimed();
        end(other, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        completer.addLateEnd(other.id());
        store.lock(held.id());
        work(5);
        assertThat(doubt(other)).isZero();
        assertThat(store.calls("settleDoubt")).hasSize(1);
        store.unlock(held.id());
        writeAll();
        assertThat(doubt(held)).isZero();
    }

    @Test
    void error_leavesTheResultUnknown_likeAnException() {
        Job job = claimed();
        store.fail("complete", new StackOverflowError("deep"));
        end(job, SUCCEEDED);
        assertThatThrownBy(completer::doWork).isInstanceOf(StackOverflowError.class);
        claimAgainAndLose(job);
        writeAll();
        assertThat(events).containsExactly("fenced");
        assertThat(store.calls("settleDoubt")).isEmpty();
    }

    private static Predicate<FaultyStore.Call> writing(Predicate<Completion> which) {
        return call -> call.method().equals("complete")
                && call.<Completion>rows().stream().anyMatch(which);
    }

    // ---- ends that are refused

    @Test
    void refusedEndOfALostAttempt_lowersItsDoubt() {
        Job job = claimed();
        rescue();
        assertThat(doubt(job)).isEqualTo(1);
        end(job, SUCCEEDED);
        writeAll();
        assertThat(events).containsExactly("fenced");
        assertThat(doubt(job)).isZero();
        assertThat(state(job.id())).isEqualTo(JobState.DELAYED);
        assertThat(handedOver).isEmpty();
    }

    @Test
    void refusalThatMayFollowALostAnswer_lowersNoDoubt() {
        Job job = claimed();
        end(job, FAILED);
        store.loseAnswerOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        // Another instance has claimed the retry, which was lost and rescued. So the attempt of that instance is in
        // doubt, and not our attempt.
        claimAgainAndLose(job);
        assertThat(doubt(job)).isEqualTo(1);
        writeAll();
        assertThat(events).containsExactly("fenced");
        assertThat(doubt(job)).isEqualTo(1);
    }

    /** Without a history, a finished job leaves no row. So a lost reply must not look like a lost attempt. */
    @Test
    void endThatLeavesNoRow_afterALostAnswer_isNotFenced() {
        JobId id = endWithoutHistory(claimed());
        store.loseAnswerOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        assertThat(rows.find(id)).isEmpty();
        writeAll();
        assertThat(events).containsExactly("SUCCEEDED FINISHED");
    }

    @Test
    void endThatLeavesNoRow_withoutALostAnswer_isFenced() {
        Job job = claimed();
        rescue();
        endWithoutHistory(job);
        writeAll();
        assertThat(events).containsExactly("fenced");
    }

    /** If the job still exists, the request without a reply has not finished it. */
    @Test
    void endThatLeavesNoRow_whenItsJobStillExists_isFenced() {
        Job job = claimed();
        endWithoutHistory(job);
        store.loseCallOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        rescue();
        writeAll();
        assertThat(events).containsExactly("fenced");
        assertThat(state(job.id())).isEqualTo(JobState.DELAYED);
    }

    @Test
    void rolledBackTransaction_isNotReportedAsFinished_afterItsJobWasGivenUp() {
        Job job = claimed();
        rescue();
        completer.addDoubtful(ended(job, FAILED), forgotten(job).completion(), clock.nanoTime());
        writeAll();
        assertThat(events).containsExactly("fenced");
    }

    @Test
    void committedTransaction_isReportedAsFinished_althoughItLeavesNoRow() {
        Job job = claimed();
        Completion committed = forgotten(job).completion();
        rows.complete(List.of(committed));
        completer.addDoubtful(ended(job, FAILED), committed, clock.nanoTime());
        writeAll();
        assertThat(events).containsExactly("SUCCEEDED FINISHED");
    }

    private JobId endWithoutHistory(Job job) {
        completer.add(forgotten(job));
        return job.id();
    }

    private EndedAttempt forgotten(Job job) {
        Completions forgetful =
                new Completions(clock, random, AttemptLog.ALL, false, String::valueOf, (step, result) -> step);
        return new EndedAttempt(forgetful.of(job, null, SUCCEEDED, POLICY, null, null), Duration.ZERO);
    }

    @Test
    void lostReply_isRemembered_whenTheBatchIsHalved() {
        Job job = claimed();
        end(job, FAILED);
        end(claimed(), SUCCEEDED);
        store.loseAnswerOf("complete");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        claimAgainAndLose(job);
        store.fail("complete", StoreException.refused("refused", new IllegalStateException()));
        writeAll();
        assertThat(doubt(job)).isEqualTo(1);
    }

    private void claimAgainAndLose(Job job) {
        rows.claim(List.of(rows.find(job.id()).orElseThrow().toDueRow()), 99, random.nextLong(), clock.storeTime());
        rescue();
    }

    private void rescue() {
        rows.instances().deregister(number);
        PartitionCursor start = PartitionCursor.start(new Partition("default", 0));
        List<DueRow> lost =
                rows.claimedByOthers(List.of(start), clock.storeTime().plusSeconds(60), Set.of(), 100).rows().stream()
                        .map(ClaimedRow::row)
                        .toList();
        rows.rescue(lost, clock.storeTime(), random.nextLong());
    }

    // ---- after the end

    @Test
    void nextRun_isPassedOn_afterItsRowIsWritten() {
        Job job = claimed(Repeat.every(Duration.ofMinutes(1)));
        end(job, SUCCEEDED);
        assertThat(handedOver).isEmpty();
        writeAll();
        assertThat(handedOver).containsExactly(rows.find(job.id()).orElseThrow().toDueRow());
    }

    @Test
    void jobThatWasCancelledMeanwhileEndsAsCancelled() {
        Job job = claimed(Repeat.every(Duration.ofMinutes(1)));
        rows.cancel(job.id(), clock.storeTime());
        end(job, SUCCEEDED);
        writeAll();
        assertThat(events).containsExactly("SUCCEEDED CANCELLED");
        assertThat(state(job.id())).isEqualTo(JobState.CANCELLED);
        assertThat(handedOver).isEmpty();
    }

    @Test
    void lateEndLowersTheDoubtOnce() {
        Job job = claimed();
        end(job, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        completer.addLateEnd(job.id());
        writeAll();
        assertThat(doubt(job)).isZero();
        assertThat(store.calls("settleDoubt")).hasSize(1);
        store.forgetCalls();
        writeAll();
        assertThat(store.calls("settleDoubt")).isEmpty();
    }

    @Test
    void doubtOfALockedRow_isLoweredOnceTheLockIsGone() {
        Job job = claimed();
        end(job, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        work(2);
        store.lock(job.id());
        completer.addLateEnd(job.id());
        work(3);
        assertThat(doubt(job)).isEqualTo(1);
        store.unlock(job.id());
        writeAll();
        assertThat(doubt(job)).isZero();
    }

    @Test
    void lateEnd_waitsForItsWriteOff_whileTheBatchIsHalved() {
        for (int i = 0; i < 7; i++) {
            end(claimed(), SUCCEEDED);
        }
        Job job = claimed();
        end(job, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        completer.addLateEnd(job.id());
        store.fail("complete", StoreException.refused("refused", new IllegalStateException()));
        writeAll();
        assertThat(doubt(job)).isZero();
    }

    @Test
    void doubtWhoseLoweringGotNoReply_isNotLoweredAgain() {
        Job job = claimed();
        end(job, new JobOutcome.TimedOut(Failure.of("TimedOut", "late"), true));
        completer.addLateEnd(job.id());
        store.loseCallOf("settleDoubt");
        assertThatThrownBy(completer::doWork).isInstanceOf(StoreException.class);
        writeAll();
        assertThat(doubt(job)).as("never lowered twice").isEqualTo(1);
        assertThat(store.calls("settleDoubt")).hasSize(1);
    }

    private void writeAll() {
        int rounds = 0;
        while (round() != Agent.UNTIL_WOKEN) {
            assertThat(++rounds).as("it comes to an end").isLessThan(1_000);
        }
    }

    /** Calls the agent this number of times. Returns the sum of the pauses that the agent asked for. */
    private Duration work(int rounds) {
        Duration pauses = Duration.ZERO;
        for (int i = 0; i < rounds; i++) {
            long pause = round();
            pauses = pause == Agent.UNTIL_WOKEN ? pauses : pauses.plusNanos(pause);
        }
        return pauses;
    }

    private long round() {
        long pause = completer.doWork();
        if (pause != Agent.UNTIL_WOKEN) {
            clock.advance(Duration.ofNanos(pause));
        }
        return pause;
    }

    private Job claimed() {
        return claimed(GivenJob.given());
    }

    private Job claimed(Repeat schedule) {
        return claimed(GivenJob.given().schedule(schedule));
    }

    private Job claimed(GivenJob given) {
        JobId id = GivenJob.id(++lastId);
        rows.submit(List.of(given.id(id).token(random.nextLong()).toBeWritten()), DueSink.NONE);
        DueRow row = rows.find(id).orElseThrow().toDueRow();
        return rows.claim(List.of(row), number, random.nextLong(), clock.storeTime())
                .get(0);
    }

    private JobId end(Job job, JobOutcome outcome) {
        completer.add(ended(job, outcome));
        return job.id();
    }

    private EndedAttempt ended(Job job, JobOutcome outcome) {
        Schedule schedule = job.schedule() == null ? null : Schedule.parse(job.schedule());
        return new EndedAttempt(completions.of(job, schedule, outcome, POLICY, null, null), Duration.ZERO);
    }

    private JobState state(JobId id) {
        return rows.find(id).orElseThrow().state();
    }

    private int doubt(Job job) {
        return rows.find(job.id()).orElseThrow().inDoubt();
    }
}
