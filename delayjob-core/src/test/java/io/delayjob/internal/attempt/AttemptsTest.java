package io.delayjob.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.internal.attempt.Attempts.Drained;
import io.delayjob.internal.dispatch.Station;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.schedule.MisfirePolicy;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.StoreException;
import io.delayjob.time.HandClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptsTest {

    private final Station station = new Station(4);
    private final List<String> calls = new ArrayList<>();
    private Runnable slowReading = () -> {};

    private Station noting(Handler.Builder handler) {
        return station.handler(handler.calls((arguments, job) -> {
            calls.add(job.name() + " run " + job.run() + " attempt " + job.attempt());
            return null;
        }));
    }

    // ---- expiry

    /** The limit is 1 s after the planned time, and the attempt could begin 0.9 s after it, or up to 0.2 s later. */
    @Test
    void runThatMayHaveExpired_becauseRepliesAreSlow_isNotStarted() {
        noting(Handler.named("a").expiresAfter(Duration.ofSeconds(1)));
        station.clock.slowReplies(Duration.ofMillis(200));
        JobId id = station.due(GivenJob.given()).id();
        station.clock.advanceMillis(900);
        station.offerAsItStands(id);
        station.work();
        assertThat(calls).isEmpty();
        assertThat(station.state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(station.job(id).failure().toString()).contains("Expired", "up to PT1.1S late");
    }

    // ---- the end of an attempt

    @Test
    void jobRunsWithItsPayloadAndIsFinished() {
        station.handler("a", (arguments, job) -> {
            calls.add(arguments + " " + job.run() + "." + job.attempt());
            return null;
        });
        JobId id = station.run(GivenJob.given().payload("42"));
        assertThat(calls).containsExactly("[42] 1.1");
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void exceptionIsAFailureThatIsRetried() {
        station.handler("a", (arguments, job) -> {
            throw new IOException("no connection");
        });
        JobId id = station.run(GivenJob.given());
        Job waiting = station.job(id);
        assertThat(waiting.state()).isEqualTo(JobState.DELAYED);
        assertThat(waiting.failures()).isEqualTo(1);
        assertThat(waiting.dueAt()).isEqualTo(HandClock.START.plusSeconds(10));
        assertThat(station.rows.attempts(id, 10))
                .extracting(AttemptRecord::outcome)
                .containsExactly("FAILED");
    }

    @Test
    void attemptThatStartsLate_tellsWhenItsHandlerWasCalled() {
        Instant called = HandClock.START.plusMillis(40);
        station.handler("a", (arguments, job) -> {
            station.clock.advance(Duration.ofSeconds(3));
            throw new IOException("no connection");
        });
        JobId id = station.due(GivenJob.given()).id();
        station.clock.advance(Duration.ofMillis(40));
        station.offerAsItStands(id);
        station.work();

        assertThat(station.rows.attempts(id, 10)).singleElement().satisfies(line -> {
            assertThat(line.dueAt()).isEqualTo(HandClock.START);
            assertThat(line.calledAt()).isEqualTo(called);
            assertThat(line.endedAt()).isEqualTo(called.plusSeconds(3));
        });
    }

    @Test
    void errorOfAHandlerIsAFailureLikeAnyOther() {
        station.handler("a", (arguments, job) -> {
            throw new StackOverflowError();
        });
        assertThat(station.job(station.run(GivenJob.given())).failures()).isEqualTo(1);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void exceptionThatCannotBeExamined_isAFailureToo() {
        station.handler(Handler.named("a")
                .retry(RetryPolicy.defaults().includes(IllegalStateException.class))
                .calls((arguments, job) -> {
                    throw new Hostile();
                }));
        Job job = station.job(station.run(GivenJob.given()));
        assertThat(job.state()).isIn(JobState.DELAYED, JobState.FAILED);
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.attempts.running()).isZero();
    }

    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }

        @Override
        public synchronized Throwable getCause() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void returnValue_decidesTheNextStateOfTheJob() {
        station.handler("stop", (arguments, job) -> Next.stop());
        station.handler("later", (arguments, job) -> Next.after(Duration.ofMinutes(5)));
        Repeat everyMinute = Repeat.every(Duration.ofMinutes(1));
        assertThat(station.state(station.run(GivenJob.given().name("stop").schedule(everyMinute))))
                .isEqualTo(JobState.FINISHED);
        Job later = station.job(station.run(GivenJob.given().name("later").schedule(everyMinute)));
        assertThat(later.dueAt()).isEqualTo(HandClock.START.plusSeconds(300));
        assertThat(later.run()).isEqualTo(2);
    }

    // ---- decisions without a call of the handler

    @Test
    void payloadThatCannotBeReadIsLeftToOthersForADayAndThenFailed() {
        noting(Handler.named("a"));
        JobId id = station.run(GivenJob.given().payload("unreadable"));
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();
        station.offerAsItStands(id);
        assertThat(station.lanes.ready()).as("not claimed again and again").isZero();

        station.clock.advance(Duration.ofHours(23));
        station.offerAsItStands(id);
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);

        station.clock.advance(Duration.ofHours(1));
        station.offerAsItStands(id);
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
        assertThat(station.job(id).failure().message()).isEqualTo("unreadable");
        assertThat(calls).isEmpty();
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void payloadTooLongToBeRead_isLeftToOthersForADayAndThenFailed() {
        noting(Handler.named("a"));
        String payload = "x".repeat(2_000_000);
        JobId id = station.run(GivenJob.given().payload(payload));
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isZero();

        station.clock.advance(Duration.ofDays(1));
        station.offerAsItStands(id);
        station.work();

        assertThat(calls).as("calls with a payload that was not read").isEmpty();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
        assertThat(station.job(id).failure().message())
                .isEqualTo("The stored payload has 2000000 bytes and was not read: must have at most 1048576 bytes "
                        + "(delayjob.payload.max-read-size). Raise that limit if the heap can hold the payload. "
                        + "Otherwise replace or cancel the job.");
        assertThat(station.slotsTaken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken", "unreadable"})
    void anyExceptionOfTheCodec_freesTheSlot(String payload) {
        noting(Handler.named("a"));
        station.run(GivenJob.given().payload(payload));
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void scheduleThatCannotBeReadIsAnUnreadablePayload() {
        noting(Handler.named("a"));
        JobId id = station.run(GivenJob.given().schedule("moonphase:full"));
        assertThat(station.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(calls).isEmpty();
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void jobThatWasLostTooOftenIsFailedInsteadOfStarted() {
        noting(Handler.named("a").retry(RetryPolicy.gaps(Duration.ofSeconds(1), Duration.ofSeconds(1))));
        JobId id = station.due("a").id();
        for (int lost = 1; lost <= 2; lost++) {
            loseWithItsInstance(id);
            assertThat(station.job(id).rescues()).isEqualTo(lost);
        }
        station.offerAsItStands(id);
        station.work();
        assertThat(calls).as("two retries are granted").hasSize(1);

        JobId killer = station.due("a").id();
        for (int lost = 1; lost <= 3; lost++) {
            loseWithItsInstance(killer);
        }
        station.offerAsItStands(killer);
        station.work();
        assertThat(calls).hasSize(1);
        assertThat(station.state(killer)).isEqualTo(JobState.FAILED);
        assertThat(station.job(killer).failure().type()).isEqualTo("LostWithInstance");
    }

    @Test
    void atMostOnceIsFailedAfterItsInstanceWasLost() {
        noting(Handler.named("a").delivery(Delivery.AT_MOST_ONCE).retry(RetryPolicy.defaults()));
        JobId id = station.due("a").id();
        loseWithItsInstance(id);
        station.offerAsItStands(id);
        station.work();
        assertThat(calls).isEmpty();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
    }

    @Test
    void atMostOnceIsNotRetriedUnlessAPolicyIsStated() {
        JobHandler fails = (arguments, job) -> {
            throw new IllegalStateException();
        };
        station.handler(Handler.named("plain").delivery(Delivery.AT_MOST_ONCE).calls(fails));
        station.handler(Handler.named("stated")
                .delivery(Delivery.AT_MOST_ONCE)
                .retry(RetryPolicy.defaults())
                .calls(fails));
        assertThat(station.state(station.run(GivenJob.given().name("plain")))).isEqualTo(JobState.FAILED);
        assertThat(station.state(station.run(GivenJob.given().name("stated")))).isEqualTo(JobState.DELAYED);
    }

    private void loseWithItsInstance(JobId id) {
        station.rows.claim(
                List.of(station.job(id).toDueRow()), 99, station.random.nextLong(), station.clock.storeTime());
        station.rescue();
    }

    @Test
    void missedRunsAreMergedIntoTheLatest() {
        noting(Handler.named("a"));
        DueRow row = station.due(GivenJob.given().schedule(Repeat.every(Duration.ofMinutes(1))));
        station.clock.advance(Duration.ofSeconds(150));
        station.offer(List.of(row));
        station.work();
        assertThat(calls).containsExactly("a run 3 attempt 1");
        assertThat(station.job(row.id()).run()).isEqualTo(4);
        assertThat(station.job(row.id()).dueAt()).isEqualTo(HandClock.START.plusSeconds(180));
        assertThat(station.rows.attempts(row.id(), 10))
                .extracting(AttemptRecord::outcome)
                .containsExactlyInAnyOrder("MERGED", "SUCCEEDED");
    }

    @Test
    void missedRuns_areSkipped_ifTheScheduleSaysSo() {
        noting(Handler.named("a"));
        DueRow row = station.due(
                GivenJob.given().schedule(Repeat.every(Duration.ofHours(1)).misfire(MisfirePolicy.SKIP)));
        station.clock.advance(Duration.ofMinutes(150));
        station.offer(List.of(row));
        station.work();
        assertThat(calls).isEmpty();
        assertThat(station.job(row.id()).run()).isEqualTo(4);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void retry_neverCountsAsMissed() {
        noting(Handler.named("a"));
        JobId id = station.due(GivenJob.given().schedule(Repeat.every(Duration.ofMinutes(1))))
                .id();
        loseWithItsInstance(id);
        station.clock.advance(Duration.ofSeconds(150));
        station.offerAsItStands(id);
        station.work();
        assertThat(calls).containsExactly("a run 1 attempt 2");
    }

    // ---- the check before the start

    @Test
    void claimedJob_afterHeartbeatsHaveStopped_isReleased_andIsNoFailure() {
        noting(Handler.named("a"));
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.claimer.doWork();
        station.alive = false;
        station.work();
        assertThat(calls).isEmpty();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.job(row.id()).failures()).isZero();
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void heartbeatsThatStopWhileThePayloadIsRead_preventTheStart() {
        Station slow = new Station(1, 100, new Station.TextCodec() {
            @Override
            public List<Object> decode(List<PayloadParameter> parameters, String payload) {
                slowReading.run();
                return super.decode(parameters, payload);
            }
        });
        slowReading = () -> slow.alive = false;
        slow.handler("a", (arguments, job) -> {
            calls.add("a");
            return null;
        });
        JobId id = slow.run(GivenJob.given().name("a"));
        assertThat(calls).isEmpty();
        assertThat(slow.state(id)).isEqualTo(JobState.DELAYED);
        assertThat(slow.slotsTaken()).isZero();
    }

    // ---- workers

    @Test
    void workerMakesOneAttemptAfterAnother() {
        noting(Handler.named("a"));
        station.run(GivenJob.given());
        station.offer(station.due("a", 30));
        station.claimer.doWork();
        assertThat(station.workers.waiting()).isEqualTo(4);
        station.workers.runOne();
        assertThat(calls)
                .as("1 before, one of the first four, and all jobs without a slot")
                .hasSize(1 + 1 + 26);
    }

    @Test
    void jobsThatNoWorkerTakes_areAllReleased() {
        noting(Handler.named("a"));
        station.run(GivenJob.given());
        List<DueRow> rows = station.due("a", 30);
        station.offer(rows);
        station.workers.rejecting = true;
        station.claimer.doWork();
        station.claimer.doWork();
        assertThat(station.slotsTaken()).isZero();
        assertThat(rows).allMatch(row -> station.state(row.id()) == JobState.DELAYED);
        station.workers.rejecting = false;
        rows.forEach(row -> station.offerAsItStands(row.id()));
        station.work();
        assertThat(rows).allMatch(row -> station.state(row.id()) == JobState.FINISHED);
    }

    @Test
    void jobsAreReleasedWhenNoThreadCanBeMade() {
        noting(Handler.named("a"));
        List<DueRow> rows = station.due("a", 4);
        station.offer(rows);
        station.workers.broken = new OutOfMemoryError("unable to create native thread");
        station.claimer.doWork();
        station.claimer.doWork();
        assertThat(station.slotsTaken()).isZero();
        assertThat(rows).allMatch(row -> station.state(row.id()) == JobState.DELAYED);
    }

    @Test
    void endThatCannotBeRecorded_isAFailure_andTheSlotIsFreed() {
        outOfMemoryAtTheEndOf(Handler.named("a"), 1);
        JobId id = station.run(GivenJob.given());
        assertThat(station.job(id).state()).isEqualTo(JobState.DELAYED);
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(station.slotsTaken()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void brokenOffAttempt_isRepeatedOnlyIfAllowed_andFreesItsSlot(Delivery delivery) {
        outOfMemoryAtTheEndOf(Handler.named("a").delivery(delivery), 2);
        JobId id = station.run(GivenJob.given());
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.state(id))
                .isEqualTo(delivery == Delivery.AT_LEAST_ONCE ? JobState.DELAYED : JobState.RUNNING);
    }

    private void outOfMemoryAtTheEndOf(Handler.Builder handler, int times) {
        station.handler(handler.calls((arguments, job) -> {
            station.random.failures = times;
            return null;
        }));
    }

    @Test
    void listenerThatFails_affectsNoJob() {
        station.listeners.add(new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                throw new StackOverflowError();
            }
        });
        noting(Handler.named("a"));
        assertThat(station.state(station.run(GivenJob.given()))).isEqualTo(JobState.FINISHED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void slotsAreAllFreeAfterTenThousandRandomAttempts() {
        SplittableRandom random = new SplittableRandom(4);
        // The exception is created once, because ten thousand stack traces would take most of the time of this test.
        RuntimeException failure = new IllegalStateException();
        Error error = new StackOverflowError();
        Hostile hostile = new Hostile();
        failure.setStackTrace(new StackTraceElement[0]);
        error.setStackTrace(new StackTraceElement[0]);
        List<CompletableFuture<Object>> stages = new ArrayList<>();
        JobHandler anyEnd = (arguments, job) -> {
            station.clock.advance(Duration.ofNanos(random.nextInt(100_000)));
            switch (random.nextInt(7)) {
                case 0 -> throw failure;
                case 1 -> throw error;
                case 2 -> {
                    return Next.after(Duration.ofMillis(random.nextInt(10)));
                }
                case 3 -> {
                    return CompletableFuture.completedFuture(null);
                }
                case 4 -> {
                    CompletableFuture<Object> stage = new CompletableFuture<>();
                    stages.add(stage);
                    return stage;
                }
                case 5 -> {
                    return CompletableFuture.failedFuture(hostile);
                }
                default -> {
                    return null;
                }
            }
        };
        station.handler("a", anyEnd);
        station.handler(Handler.named("b").concurrency(2).calls(anyEnd));
        station.handler(Handler.named("c").delivery(Delivery.AT_MOST_ONCE).calls(anyEnd));
        for (int i = 0; i < 10_000; i += 10) {
            List<DueRow> rows = new ArrayList<>();
            for (int j = 0; j < 10; j++) {
                String payload = random.nextInt(50) == 0 ? "unreadable" : "1";
                rows.add(station.due(GivenJob.given()
                        .name(List.of("a", "b", "c").get(random.nextInt(3)))
                        .payload(payload)));
            }
            station.offer(rows);
            station.alive = random.nextInt(20) > 0;
            station.workers.rejecting = random.nextInt(20) == 0;
            String fault = List.of("claim", "complete", "release").get(random.nextInt(3));
            if (random.nextInt(5) == 0) {
                station.store.loseAnswerOf(fault);
            } else if (random.nextInt(5) == 0) {
                station.store.loseCallOf(fault);
            }
            workThroughFaults();
            assertThat(station.slotsTaken()).isBetween(0, 4);
            while (stages.size() > random.nextInt(4)) {
                CompletableFuture<Object> stage = stages.remove(random.nextInt(stages.size()));
                if (random.nextBoolean()) {
                    stage.complete(null);
                } else {
                    stage.completeExceptionally(failure);
                }
            }
        }
        station.alive = true;
        station.workers.rejecting = false;
        station.store.heal();
        for (int i = 0; i < 10 || !stages.isEmpty(); i++) {
            station.clock.advanceMillis(2_000);
            workThroughFaults();
            stages.forEach(stage -> stage.complete(null));
            stages.clear();
        }
        workThroughFaults();
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.attempts.running()).isZero();
        assertThat(station.completer.backlog()).isZero();
        assertThat(station.hasClaimed()).isFalse();
        assertThat(station.rows.counts(station.clock.storeTime()).in(JobState.RUNNING))
                .isZero();
    }

    private void workThroughFaults() {
        for (int i = 0; i < 5; i++) {
            try {
                station.work();
                return;
            } catch (StoreException lost) {
                // The agent is called again, as its supervisor does.
            }
        }
    }

    // ---- completion stages

    @Test
    void attemptWithAStage_endsWhenTheStageCompletes() {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        station.handler("a", (arguments, job) -> stage);
        JobId id = station.run(GivenJob.given());
        assertThat(station.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(station.slotsTaken()).isEqualTo(1);
        stage.complete(Next.stop());
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void failureOfAStageIsItsCause() {
        station.handler(
                "a",
                (arguments, job) ->
                        CompletableFuture.failedFuture(new CompletionException(new IllegalStateException("inner"))));
        JobId id = station.run(GivenJob.given());
        assertThat(station.rows.attempts(id, 1).get(0).failure().type())
                .isEqualTo(IllegalStateException.class.getName());
    }

    @Test
    void stageThatEndsTwiceFreesOneSlot() {
        Station one = new Station(1).handler("a", (arguments, job) -> new EndsTwice());
        one.run(GivenJob.given());
        assertThat(one.slotsTaken()).isZero();
        one.run(GivenJob.given());
        assertThat(one.slotsTaken()).isZero();
        assertThat(one.events).doesNotContain("fenced a");
    }

    private static final class EndsTwice extends CompletableFuture<Object> {
        @Override
        public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> end) {
            end.accept(null, null);
            end.accept(null, null);
            return this;
        }
    }

    @Test
    void stageThatCannotBeWaitedForIsAFailure() {
        station.handler("a", (arguments, job) -> new CompletableFuture<Object>() {
            @Override
            public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> end) {
                throw new UnsupportedOperationException();
            }
        });
        JobId id = station.run(GivenJob.given());
        assertThat(station.job(id).failures()).isEqualTo(1);
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.attempts.running()).isZero();
    }

    // ---- timeouts

    private final List<JobContext> contexts = new ArrayList<>();
    private final CompletableFuture<Object> hanging = new CompletableFuture<>();

    /** Runs a handler with a timeout of 30 s, which returns when {@link #hanging} completes. */
    private JobId hang(Handler.Builder handler) {
        station.handler(handler.timeout(Duration.ofSeconds(30)).calls((arguments, job) -> {
            contexts.add(job);
            return hanging;
        }));
        return station.run(GivenJob.given());
    }

    @Test
    void attemptIsInterruptedAtItsTimeOutAndNotBefore() {
        JobId id = hang(Handler.named("a"));
        station.clock.advance(Duration.ofMillis(29_999));
        station.work();
        assertThat(contexts.get(0).isInterrupted()).isFalse();
        station.clock.advanceMillis(1);
        station.work();
        assertThat(contexts.get(0).isInterrupted()).isTrue();
        assertThat(station.state(id)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void attemptThatEndsWithinTheGracePeriod_isAnOrdinaryFailure() {
        JobId id = hang(Handler.named("a"));
        station.clock.advance(Duration.ofSeconds(30));
        station.work();
        hanging.completeExceptionally(new IllegalStateException("interrupted"));
        station.work();
        Job job = station.job(id);
        assertThat(job.failures()).isEqualTo(1);
        assertThat(job.inDoubt()).isZero();
        assertThat(station.rows.attempts(id, 1).get(0).failure().type()).isEqualTo("TimedOut");
    }

    @Test
    void handlerThatNeverReturns_takesOnlyOneSlot_evenAfterRetries() {
        JobId id = hang(Handler.named("a").retry(RetryPolicy.gaps(Duration.ofSeconds(1), Duration.ofSeconds(1))));
        for (int minute = 0; minute < 10; minute++) {
            station.clock.advance(Duration.ofMinutes(1));
            station.offer(List.of(station.job(id).toDueRow()));
            station.work();
        }
        assertThat(contexts).hasSize(1);
        assertThat(station.slotsTaken()).isEqualTo(1);
        assertThat(station.state(id)).as("left to other instances").isEqualTo(JobState.DELAYED);

        hanging.complete(null);
        station.work();
        station.clock.advance(Duration.ofMinutes(2));
        station.offer(List.of(station.job(id).toDueRow()));
        station.work();
        assertThat(contexts).as("tried again once it has ended").hasSize(2);
    }

    @Test
    void attemptThatExceedsTheGracePeriod_isWrittenOff_staysInDoubt_andKeepsItsSlot() {
        JobId id = hang(Handler.named("a"));
        station.clock.advance(Duration.ofSeconds(35));
        station.work();
        Job job = station.job(id);
        assertThat(job.state()).as("to be retried").isEqualTo(JobState.DELAYED);
        assertThat(job.inDoubt()).isEqualTo(1);
        assertThat(station.slotsTaken()).isEqualTo(1);
        assertThat(station.attempts.running()).isEqualTo(1);
        assertThat(station.attempts.stuck()).containsExactly(new StuckAttempt(id, "a", 1, 1, Duration.ofSeconds(35)));

        hanging.complete(null);
        station.work();
        assertThat(station.job(id).inDoubt()).as("it has ended after all").isZero();
        assertThat(station.job(id).state())
                .as("its late success does not count")
                .isEqualTo(JobState.DELAYED);
        assertThat(station.slotsTaken()).isZero();
        assertThat(station.attempts.running()).isZero();
        assertThat(station.attempts.stuck()).isEmpty();
    }

    @Test
    void atMostOnceIsFailedWhenWrittenOff() {
        JobId id = hang(Handler.named("a").delivery(Delivery.AT_MOST_ONCE).retry(RetryPolicy.defaults()));
        station.clock.advance(Duration.ofSeconds(35));
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
        assertThat(station.job(id).inDoubt()).isEqualTo(1);
    }

    @Test
    void lateEndWaitsForTheWriteOffToBeWritten() {
        JobId id = hang(Handler.named("a"));
        for (int i = 0; i < 600; i++) {
            station.completer.add(
                    station.ended(GivenJob.given().id(GivenJob.id(10_000 + i)).done()));
        }
        station.clock.advance(Duration.ofSeconds(35));
        station.timeouts.doWork();
        hanging.complete(null);
        station.work();
        assertThat(station.job(id).inDoubt()).isZero();
    }

    @Test
    void refusedWriteOff_isFollowedByALateEndThatLowersTheDoubt() {
        JobId id = hang(Handler.named("a"));
        station.rows.instances().deregister(station.number);
        station.rescue();
        assertThat(station.job(id).inDoubt()).isEqualTo(1);
        station.clock.advance(Duration.ofSeconds(35));
        station.work();
        assertThat(station.events).contains("fenced a");
        assertThat(station.job(id).inDoubt()).as("it is still under way").isEqualTo(1);
        hanging.complete(null);
        station.work();
        assertThat(station.job(id).inDoubt()).isZero();
    }

    @Test
    void extremelyLongTimeOut_isNoTimeOut() {
        station.handler(Handler.named("a").timeout(Duration.ofDays(1_000_000)).calls((arguments, job) -> null));
        assertThat(station.state(station.run(GivenJob.given()))).isEqualTo(JobState.FINISHED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void interrupt_reachesTheThreadOfTheHandler_butNotTheNextJob() {
        List<Boolean> interrupted = new ArrayList<>();
        station.handler(Handler.named("a").timeout(Duration.ofSeconds(30)).calls((arguments, job) -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            station.clock.advance(Duration.ofSeconds(30));
            station.timeouts.doWork();
            interrupted.add(Thread.currentThread().isInterrupted());
            return null;
        }));
        station.offer(station.due("a", 2));
        station.work();
        assertThat(interrupted).containsExactly(false, true, false, true);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void interruptBeforeTheCallOfTheHandler_isNotLost() {
        List<Boolean> interrupted = new ArrayList<>();
        station.listeners.add(new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                station.clock.advance(Duration.ofSeconds(30));
                station.timeouts.doWork();
            }
        });
        station.handler(Handler.named("a").timeout(Duration.ofSeconds(30)).calls((arguments, job) -> {
            interrupted.add(Thread.currentThread().isInterrupted() && job.isInterrupted());
            return null;
        }));
        station.run(GivenJob.given());
        assertThat(interrupted).containsExactly(true);
    }

    @Test
    void timeOutAgent_sleepsUntilTheNextDeadline_andIsWokenForAnEarlierDeadline() {
        hang(Handler.named("a"));
        assertThat(Duration.ofNanos(station.timeouts.doWork())).isEqualTo(Duration.ofSeconds(30));
        int wakes = station.timeoutWakes;
        station.handler(Handler.named("later").timeout(Duration.ofSeconds(60)).calls((x, job) -> hanging));
        station.run(GivenJob.given().name("later"));
        assertThat(station.timeoutWakes).isEqualTo(wakes);
        station.handler(Handler.named("sooner").timeout(Duration.ofSeconds(10)).calls((x, job) -> hanging));
        station.run(GivenJob.given().name("sooner"));
        assertThat(station.timeoutWakes).isEqualTo(wakes + 1);
        assertThat(Duration.ofNanos(station.timeouts.doWork())).isEqualTo(Duration.ofSeconds(10));
    }

    // ---- a cancellation

    /** Returns what the handler reads about a cancellation when it begins. */
    private static List<Boolean> told(Station station) {
        List<Boolean> told = new ArrayList<>();
        station.handler("a", (arguments, job) -> {
            told.add(job.isCancelRequested());
            return null;
        });
        return told;
    }

    @Test
    void cancellationReachesTheHandlerOfAJobWhoseClaimIsUnderWay() {
        List<Boolean> told = told(station);
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.store.refuse(call -> {
            if (call.method().equals("claim")) {
                assertThat(station.requestCancel(Set.of(row.id()))).isEmpty();
            }
            return false;
        });
        station.work();
        assertThat(told).containsExactly(true);
    }

    @Test
    void cancellationReachesTheHandlerOfAJobThatWaitsForItsSlotOrItsThread() {
        Station one = new Station(1);
        List<Boolean> told = told(one);
        one.run(GivenJob.given());
        List<DueRow> rows = one.due("a", 3);
        one.offer(rows);
        one.claimer.doWork();
        assertThat(one.workers.waiting()).as("the others are claimed ahead").isOne();

        Set<JobId> jobs = Set.of(rows.get(0).id(), rows.get(2).id());
        assertThat(one.requestCancel(jobs)).as("not told yet").isEmpty();
        one.work();

        assertThat(told).containsExactly(false, true, false, true);
        assertThat(one.requestCancel(jobs)).as("over").isEqualTo(jobs);
    }

    @Test
    void cancellation_isReportedToAnAttemptUnderWay_andNotToTheNext() {
        JobId id = hang(Handler.named("a"));
        assertThat(station.requestCancel(Set.of(id))).containsExactly(id);
        assertThat(contexts.get(0).isCancelRequested()).isTrue();
        station.requestCancel(Set.of());
        hanging.completeExceptionally(new IOException());
        station.work();
        station.clock.advance(Duration.ofMinutes(1));
        station.offerAsItStands(id);
        station.work();
        assertThat(contexts.get(1).isCancelRequested()).isFalse();
    }

    // ---- the stop

    @Test
    void attemptThatTheStopInterrupts_isReleased_andIsNoFailure() {
        JobId id = hang(Handler.named("a"));
        assertThat(station.attempts.drain(Duration.ZERO, Duration.ZERO)).isEqualTo(new Drained(1, 1));
        assertThat(contexts.get(0).isInterrupted()).isTrue();
        hanging.completeExceptionally(new InterruptedException());
        assertThat(station.claimer.close()).isOne();
        Job released = station.job(id);
        assertThat(released.state()).isEqualTo(JobState.DELAYED);
        assertThat(released.failures()).isZero();
        assertThat(released.inDoubt()).isZero();
        assertThat(station.attempts.drain(Duration.ZERO, Duration.ZERO)).isEqualTo(new Drained(0, 0));
    }

    @Test
    void attemptThatSucceedsDespiteTheStop_isFinished() {
        JobId id = hang(Handler.named("a"));
        station.attempts.drain(Duration.ZERO, Duration.ZERO);
        hanging.complete(null);
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void atMostOnceIsNotRepeatedWhenTheStopInterruptedIt() {
        JobId id = hang(Handler.named("a").delivery(Delivery.AT_MOST_ONCE));
        station.attempts.drain(Duration.ZERO, Duration.ZERO);
        hanging.completeExceptionally(new InterruptedException());
        station.work();
        assertThat(station.state(id)).isEqualTo(JobState.FAILED);
    }

    @Test
    void writtenOffAttemptThatTheStopEnds_isRecordedAsEnded() {
        JobId id = hang(Handler.named("a"));
        station.clock.advance(Duration.ofSeconds(35));
        station.work();
        station.attempts.drain(Duration.ZERO, Duration.ZERO);
        hanging.completeExceptionally(new InterruptedException());
        station.work();
        assertThat(station.job(id).inDoubt()).isZero();
        assertThat(station.attempts.running()).isZero();
    }

    @Test
    void stop_alsoWaitsForAJobWhoseHandlerIsNotCalledYet() {
        noting(Handler.named("a"));
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.claimer.doWork();
        assertThat(station.attempts.drain(Duration.ZERO, Duration.ZERO))
                .as("a worker has it")
                .isEqualTo(new Drained(1, 1));
        station.work();
        assertThat(station.attempts.drain(Duration.ZERO, Duration.ZERO)).isEqualTo(new Drained(0, 0));
    }

    @Test
    void jobThatReachesItsWorkerAfterTheInterruption_isNotStarted() {
        noting(Handler.named("a"));
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.claimer.doWork();
        station.attempts.drain(Duration.ZERO, Duration.ZERO);
        station.workers.runAll();
        station.claimer.close();
        assertThat(calls).isEmpty();
        assertThat(station.state(row.id())).isEqualTo(JobState.DELAYED);
        assertThat(station.slotsTaken()).isZero();
    }

    @Test
    void handlerThatIsCalledWhileTheStopInterruptsIsInterruptedAsWell() {
        List<Boolean> interrupted = new ArrayList<>();
        station.listeners.add(new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                station.attempts.drain(Duration.ZERO, Duration.ZERO);
            }
        });
        station.handler("a", (arguments, job) -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            return null;
        });
        station.run(GivenJob.given());
        assertThat(interrupted).containsExactly(true);
    }

    // ---- races

    @Test
    void everyAttempt_endsOnce_whateverHappensAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 2_000; round++) {
                Ends ends = new Ends();
                Job job = GivenJob.given().done();
                Handler handler =
                        Handler.named("a").timeout(Duration.ofSeconds(1)).calls((x, y) -> null);
                AttemptRules rules = new AttemptRules(
                        handler, null, null, RetryPolicy.none(), Duration.ZERO, handler.timeout(), null);
                Attempt attempt = new Attempt(
                        Station.ticket(job), new Verdict.Call(job, rules, List.of(), null), new HandClock(), ends);
                CyclicBarrier start = new CyclicBarrier(3);
                List<Future<?>> all = List.of(
                        threads.submit(() -> meet(start, () -> attempt.call())),
                        threads.submit(() -> meet(start, attempt::writeOff)),
                        threads.submit(() -> meet(start, attempt::recall)));
                for (Future<?> one : all) {
                    one.get(10, TimeUnit.SECONDS);
                }
                assertThat(ends.told).isIn(List.of("ended"), List.of("written off", "late"));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void meet(CyclicBarrier start, Runnable action) {
        try {
            start.await(10, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
        action.run();
    }

    private static final class Ends implements Attempt.Ends {

        private final List<String> told = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void ended(Attempt attempt, JobOutcome outcome) {
            told.add("ended");
        }

        @Override
        public void endedLate(Attempt attempt) {
            told.add("late");
        }

        @Override
        public void recalled(Attempt attempt) {
            told.add("recalled");
        }

        @Override
        public void leftLater(Attempt attempt) {
            told.add("left later");
        }

        @Override
        public void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
            told.add("written off");
        }
    }

    @Test
    void stopIsWokenByTheLastAttempt() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CompletableFuture<Object> end = new CompletableFuture<>();
        station.handler("a", (arguments, job) -> {
            called.countDown();
            return end.join();
        });
        DueRow row = station.due("a");
        station.offer(List.of(row));
        station.claimer.doWork();
        Thread worker = new Thread(station.workers::runAll);
        worker.start();
        assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Drained> drained =
                CompletableFuture.supplyAsync(() -> station.attempts.drain(Duration.ofMinutes(1), Duration.ZERO));
        end.complete(null);
        Drained attempts = drained.get(30, TimeUnit.SECONDS);
        assertThat(attempts.interrupted()).isZero();
        assertThat(attempts.left()).isZero();
        worker.join();
    }
}
