package io.delayjob.internal.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CompletionsTest {

    private static final JobOutcome SUCCEEDED = new JobOutcome.Succeeded();
    private static final JobOutcome FAILED = new JobOutcome.Failed(Failure.of("Broken", "it broke"), true);
    private static final RetryPolicy ONE_RETRY = RetryPolicy.gaps(Duration.ofSeconds(10));
    private static final Repeat HOURLY = Repeat.every(Duration.ofHours(1));

    private final HandClock clock = new HandClock();

    private Completion of(AttemptLog mode, Repeat schedule, JobOutcome outcome, int failures, Misfire.Merged merged) {
        return new Completions(clock, new SplittableRandom(6), mode, false, String::valueOf, (step, result) -> step)
                .of(GivenJob.given().failures(failures).done(), schedule, outcome, ONE_RETRY, null, merged);
    }

    private List<String> log(AttemptLog mode, Repeat schedule, JobOutcome outcome, int failures) {
        return of(mode, schedule, outcome, failures, null).log().stream()
                .map(AttemptRecord::outcome)
                .toList();
    }

    @Test
    void attempts_areLoggedAsConfigured() {
        assertThat(log(AttemptLog.ALL, null, SUCCEEDED, 0)).containsExactly("SUCCEEDED");
        assertThat(log(AttemptLog.FAILURES, null, SUCCEEDED, 0)).isEmpty();
        assertThat(log(AttemptLog.FAILURES, null, FAILED, 0)).containsExactly("FAILED");
        assertThat(log(AttemptLog.NONE, null, FAILED, 0)).isEmpty();
    }

    @Test
    void failedRunOfAJobThatGoesOn_isLoggedInEveryMode() {
        assertThat(log(AttemptLog.NONE, HOURLY, FAILED, 0)).as("to be retried").isEmpty();
        assertThat(log(AttemptLog.NONE, HOURLY, FAILED, 1)).containsExactly("FAILED");
    }

    @Test
    void skippedAndMergedRuns_areLoggedInEveryMode() {
        Misfire.Skipped skipped = new Misfire.Skipped(1, 3, Optional.empty());
        assertThat(log(AttemptLog.NONE, HOURLY, new JobOutcome.Skipped(skipped), 0))
                .containsExactly("SKIPPED");
        Misfire.Merged merged = new Misfire.Merged(1, 2, 3, HandClock.START);
        List<AttemptRecord> lines =
                of(AttemptLog.NONE, HOURLY, SUCCEEDED, 0, merged).log();
        assertThat(lines).extracting(AttemptRecord::outcome).containsExactly("MERGED");
        assertThat(lines.get(0).failure().message()).contains("runs 1 to 2");
    }

    @Test
    void onlyAWrittenOffAttemptRaisesDoubt() {
        assertThat(of(AttemptLog.ALL, null, FAILED, 0, null).inDoubtChange()).isZero();
        JobOutcome timedOut = new JobOutcome.TimedOut(Failure.of("TimedOut", ""), true);
        assertThat(of(AttemptLog.ALL, null, timedOut, 0, null).inDoubtChange()).isEqualTo(1);
    }

    @Test
    void finishedJobs_withoutRetention_leaveNoRow_butFailedJobsDo() {
        assertThat(of(AttemptLog.ALL, null, SUCCEEDED, 0, null).keep()).isFalse();
        assertThat(of(AttemptLog.ALL, null, FAILED, 1, null).keep()).isTrue();
        assertThat(of(AttemptLog.ALL, HOURLY, SUCCEEDED, 0, null).keep()).isTrue();
    }

    private Completion keptFor(boolean keepFinished, Duration keepFor, JobOutcome outcome) {
        return keptFor(GivenJob.given().done(), keepFinished, keepFor, outcome);
    }

    private Completion keptFor(Job job, boolean keepFinished, Duration keepFor, JobOutcome outcome) {
        return new Completions(
                        clock,
                        new SplittableRandom(6),
                        AttemptLog.ALL,
                        keepFinished,
                        String::valueOf,
                        (step, result) -> step)
                .of(job, null, outcome, RetryPolicy.none(), keepFor, null);
    }

    @Test
    void finishedJob_isKeptAsItsHandlerSays() {
        Completion kept = keptFor(false, Duration.ofDays(90), SUCCEEDED);
        assertThat(kept.keep()).isTrue();
        assertThat(JobExtras.parse(kept.newExtras()).keepFor()).isEqualTo(Duration.ofDays(90));

        Completion forgotten = keptFor(true, Duration.ZERO, SUCCEEDED);
        assertThat(forgotten.keep()).isFalse();
        assertThat(forgotten.newExtras())
                .as("the row goes, so there is nothing to write")
                .isNull();
    }

    @Test
    void jobThatAwaitsAnAnswer_saysHowLongItIsKept_becauseTheAnswerMayReachAnotherInstance() {
        Completion awaiting = keptFor(true, Duration.ofDays(90), new JobOutcome.Awaited(Duration.ofHours(1)));

        assertThat(JobExtras.parse(awaiting.newExtras()).keepFor()).isEqualTo(Duration.ofDays(90));
        assertThat(keptFor(true, Duration.ofDays(90), FAILED).newExtras()).isNull();
    }

    private Job withLines(int attemptAfter) {
        Job job = GivenJob.given().done();
        JobLog log = new JobLog(job.attempt() + attemptAfter, List.of(new JobLog.Line(HandClock.START, "page 1")));
        return job.with(job.task().withExtras(JobExtras.NONE.withLog(log).toText()));
    }

    @Test
    void linesOfAnAttempt_areWrittenWithItsEnd_whateverItIs() {
        for (JobOutcome outcome : List.of(SUCCEEDED, FAILED, new JobOutcome.Awaited(Duration.ofHours(1)))) {
            assertThat(keptFor(withLines(0), true, null, outcome).newExtras())
                    .as(outcome.label())
                    .isEqualTo(withLines(0).task().extras());
        }
        Completion failed = keptFor(withLines(0), true, Duration.ofDays(90), FAILED);
        assertThat(failed.newExtras())
                .as("a failed job is kept for another time")
                .doesNotContain("keep");
        assertThat(failed.newExtrasAs(JobState.CANCELLED))
                .isEqualTo(withLines(0).task().extras());
    }

    @Test
    void linesOfAnEarlierAttempt_orOfAJobThatLeavesNoRow_areNotWrittenAgain() {
        assertThat(keptFor(withLines(-1), true, null, SUCCEEDED).newExtras()).isNull();
        assertThat(keptFor(withLines(-1), true, null, FAILED).newExtrasAs(JobState.CANCELLED))
                .isNull();
        assertThat(keptFor(withLines(0), false, null, SUCCEEDED).newExtras()).isNull();
    }

    @Test
    void delaysCountFromTheEndOfTheMillisecond() {
        clock.advance(Duration.ofNanos(1));
        Transition.Again retry =
                (Transition.Again) of(AttemptLog.ALL, null, FAILED, 0, null).next();
        assertThat(retry.dueAt()).isEqualTo(HandClock.START.plusSeconds(10).plusMillis(1));
    }

    @Test
    void jobWhoseNextRunCannotBeDecidedIsFailed() {
        AtomicInteger drawn = new AtomicInteger();
        RandomGenerator brokenOnce = () -> {
            if (drawn.getAndIncrement() == 0) {
                throw new IllegalStateException("no entropy");
            }
            return 0;
        };
        Completion completion = new Completions(
                        clock, brokenOnce, AttemptLog.ALL, true, String::valueOf, (step, result) -> step)
                .of(GivenJob.given().done(), HOURLY.jitter(Duration.ofMinutes(1)), SUCCEEDED, ONE_RETRY, null, null);
        assertThat(completion.next()).isEqualTo(new Transition.Ended(JobState.FAILED));
    }

    private Completion ofChain(boolean keep, Repeat schedule, JobOutcome outcome) {
        ChainStep step = new ChainStep(
                JobId.parse("01234567-89ab-7cde-8000-000000000001"),
                ChainStep.When.FINISHED,
                "mail",
                "report",
                "rows",
                "{}");
        Job job = GivenJob.given().done();
        Job first = job.with(
                job.task().withExtras(JobExtras.NONE.withSteps(List.of(step)).toText()));
        return new Completions(
                        clock,
                        new SplittableRandom(6),
                        AttemptLog.ALL,
                        keep,
                        String::valueOf,
                        (follower, result) -> follower.withPayload("{\"rows\":" + result + "}"))
                .of(first, schedule, outcome, ONE_RETRY, null, null);
    }

    @Test
    void everyEndThatFinishesTheJob_hasItsFollower() {
        JobOutcome skipped = new JobOutcome.Skipped(new Misfire.Skipped(1, 3, Optional.empty()));
        JobOutcome expired = new JobOutcome.Expired(Failure.of("Expired", ""));
        for (Completion end : List.of(
                ofChain(true, null, SUCCEEDED),
                ofChain(false, null, new JobOutcome.Stopped()),
                ofChain(true, HOURLY, skipped),
                ofChain(true, HOURLY.times(1), expired))) {
            assertThat(end.endsAs(JobState.FINISHED)).isTrue();
            assertThat(end.follower()).isNotNull();
            assertThat(end.follower().dueAt()).isEqualTo(end.endedAt());
            assertThat(end.waitingAfter()).isEqualTo(end.follower().toDueRow());
        }
        assertThat(ofChain(true, null, expired).follower()).isNull();
        assertThat(ofChain(true, null, FAILED).follower()).isNull();
        assertThat(ofChain(true, HOURLY, SUCCEEDED).follower()).isNull();
    }

    @Test
    void followerGetsTheResult_whetherTheHistoryKeepsItOrNot() {
        JobOutcome counted = new JobOutcome.Succeeded(4711);
        assertThat(ofChain(true, null, counted).follower().payload()).isEqualTo("{\"rows\":4711}");
        assertThat(ofChain(false, null, counted).follower().payload()).isEqualTo("{\"rows\":4711}");
        assertThat(ofChain(true, null, new JobOutcome.Succeeded("x".repeat(16_385)))
                        .follower()
                        .payload())
                .as("the result is too long")
                .isEqualTo("{}");
    }
}
