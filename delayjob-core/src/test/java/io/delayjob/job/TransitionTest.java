package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.Transition.Again;
import io.delayjob.job.Transition.Ended;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Occurrence;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTest {

    private static final Instant START = Instant.parse("2030-01-31T10:00:00Z");
    private static final Instant NOW = START.plusSeconds(3);
    private static final Schedule ONE_SHOT = null;
    private static final Repeat ENDLESS = Repeat.every(Duration.ofMinutes(1));
    private static final Repeat FINITE = Repeat.every(Duration.ofMinutes(1)).times(3);
    private static final RetryPolicy TWO_RETRIES = RetryPolicy.gaps(Duration.ofSeconds(10), Duration.ofSeconds(20));
    private static final Failure FAILURE = Failure.of("Broken", "it broke");

    private static final JobOutcome SUCCEEDED = new JobOutcome.Succeeded();
    private static final JobOutcome STOPPED = new JobOutcome.Stopped();
    private static final JobOutcome FAILED = new JobOutcome.Failed(FAILURE, true);
    private static final JobOutcome FAILED_FOR_GOOD = new JobOutcome.Failed(FAILURE, false);
    private static final JobOutcome TIMED_OUT = new JobOutcome.TimedOut(FAILURE, true);
    private static final JobOutcome TIMED_OUT_FOR_GOOD = new JobOutcome.TimedOut(FAILURE, false);
    private static final JobOutcome CONTINUED = new JobOutcome.Continued(Duration.ofSeconds(5));

    private static final JobOutcome SNOOZED = new JobOutcome.Snoozed(Duration.ofSeconds(7));

    private static final Transition FINISHES = new Ended(JobState.FINISHED);
    private static final Transition FAILS = new Ended(JobState.FAILED);

    private final RandomGenerator random = new SplittableRandom(1);

    /**
     * The job of each line is at run 1 of a period of one minute. It was planned for the start and ended three seconds
     * later.
     */
    static Stream<Arguments> table() {
        Transition secondRun = again(2, 60, 60, 0);
        Transition continued = again(2, 8, 8, 0);
        return Stream.of(
                row(ONE_SHOT, SUCCEEDED, 0, FINISHES),
                row(ONE_SHOT, STOPPED, 0, FINISHES),
                row(ONE_SHOT, CONTINUED, 0, continued),
                row(ONE_SHOT, SNOOZED, 0, again(1, 0, 10, 0)),
                row(ONE_SHOT, SNOOZED, 2, again(1, 0, 10, 2)),
                row(ONE_SHOT, FAILED, 0, again(1, 0, 13, 1)),
                row(ONE_SHOT, FAILED, 1, again(1, 0, 23, 2)),
                row(ONE_SHOT, FAILED, 2, FAILS),
                row(ONE_SHOT, FAILED_FOR_GOOD, 0, FAILS),
                row(ONE_SHOT, TIMED_OUT, 0, again(1, 0, 13, 1)),
                row(ONE_SHOT, TIMED_OUT, 2, FAILS),
                row(ONE_SHOT, TIMED_OUT_FOR_GOOD, 0, FAILS),
                row(ENDLESS, SUCCEEDED, 0, secondRun),
                row(ENDLESS, SUCCEEDED, 2, secondRun),
                row(ENDLESS, STOPPED, 0, FINISHES),
                row(ENDLESS, CONTINUED, 1, continued),
                row(ENDLESS, FAILED, 0, again(1, 0, 13, 1)),
                row(ENDLESS, FAILED, 2, secondRun),
                row(ENDLESS, FAILED_FOR_GOOD, 0, secondRun),
                row(ENDLESS, TIMED_OUT, 2, secondRun),
                row(ENDLESS, SNOOZED, 1, again(1, 0, 10, 1)),
                row(FINITE, SUCCEEDED, 0, secondRun),
                row(FINITE, STOPPED, 0, FINISHES),
                row(FINITE, CONTINUED, 0, continued),
                row(FINITE, FAILED, 0, again(1, 0, 13, 1)),
                row(FINITE, FAILED, 2, FAILS),
                row(FINITE, FAILED_FOR_GOOD, 0, FAILS),
                row(FINITE, TIMED_OUT_FOR_GOOD, 0, FAILS));
    }

    @ParameterizedTest
    @MethodSource("table")
    void outcomeDecidesTheNextState(Schedule schedule, JobOutcome outcome, int failuresBefore, Transition expected) {
        Job job = job().failures(failuresBefore).done();
        assertThat(Transition.after(job, schedule, outcome, TWO_RETRIES, NOW, random))
                .isEqualTo(expected);
    }

    static Stream<JobOutcome> outcomesThatWantAnotherRun() {
        return Stream.of(SUCCEEDED, CONTINUED);
    }

    @ParameterizedTest
    @MethodSource("outcomesThatWantAnotherRun")
    void lastRunOfAFiniteScheduleEndsIt(JobOutcome outcome) {
        Job last = job().run(3).plannedAt(START.plusSeconds(120)).done();
        assertThat(Transition.after(last, FINITE, outcome, TWO_RETRIES, NOW, random))
                .isEqualTo(FINISHES);
    }

    @Test
    void skippedRuns_areFollowedByTheNextRun() {
        Misfire.Skipped skipped = new Misfire.Skipped(1, 4, Optional.of(new Occurrence(5, START.plusSeconds(240))));
        assertThat(after(ENDLESS, new JobOutcome.Skipped(skipped))).isEqualTo(again(5, 240, 240, 0));
    }

    @Test
    void skippedRunsAtTheEndOfASchedule_finishTheJob() {
        Misfire.Skipped skipped = new Misfire.Skipped(1, 3, Optional.empty());
        assertThat(after(FINITE, new JobOutcome.Skipped(skipped))).isEqualTo(FINISHES);
    }

    @Test
    void jitterDelaysTheAttemptAndNeverThePlan() {
        Repeat jittery = ENDLESS.jitter(Duration.ofMillis(2));
        long[] drawn = new long[3];
        for (int i = 0; i < 300; i++) {
            Again next = (Again) after(jittery, SUCCEEDED);
            assertThat(next.plannedAt()).isEqualTo(START.plusSeconds(60));
            drawn[(int) Duration.between(next.plannedAt(), next.dueAt()).toMillis()]++;
        }
        assertThat(drawn).as("values include both bounds and nothing beyond").doesNotContain(0);
    }

    @Test
    void jitterOfARetry_comesFromItsPolicy() {
        Repeat jittery = ENDLESS.jitter(Duration.ofHours(1));
        assertThat(after(jittery, FAILED)).isEqualTo(again(1, 0, 13, 1));
    }

    @Test
    void delayThatAHandlerChoseIsRoundedUpToAMillisecond() {
        assertThat(after(ONE_SHOT, new JobOutcome.Continued(Duration.ofNanos(1))))
                .isEqualTo(continuedAt(1));
        assertThat(after(ONE_SHOT, new JobOutcome.Continued(Duration.ofNanos(1_000_001))))
                .isEqualTo(continuedAt(2));
        assertThat(after(ONE_SHOT, new JobOutcome.Continued(Duration.ZERO))).isEqualTo(continuedAt(0));
    }

    @Test
    void timeThatAHandlerChose_isNotAfterTheEndOfTheSchedule() {
        Repeat untilLater = ENDLESS.until(NOW.plusSeconds(100));

        assertThat(after(untilLater, new JobOutcome.Continued(Duration.ofSeconds(100))))
                .isEqualTo(continuedAt(100_000));
        assertThat(after(untilLater, new JobOutcome.Continued(Duration.ofMillis(100_001))))
                .isEqualTo(FINISHES);
    }

    private static Transition continuedAt(long millisFromNow) {
        Instant due = NOW.plusMillis(millisFromNow);
        return new Again(2, due, due, 0);
    }

    @Test
    void noJob_isDueAfterTheYear9999() {
        Again next = (Again) after(ONE_SHOT, new JobOutcome.Continued(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(next.dueAt()).isEqualTo(Transition.LAST_INSTANT);
        RetryPolicy millennia = RetryPolicy.gaps(Duration.ofDays(9_000L * 365));
        Again retry = (Again) Transition.after(job().done(), ONE_SHOT, FAILED, millennia, NOW, random);
        assertThat(retry.dueAt()).isEqualTo(Transition.LAST_INSTANT);
    }

    @Test
    void endlessScheduleEndsWithTheYear9999() {
        Job last = job().plannedAt(Transition.LAST_INSTANT.minusSeconds(1)).done();
        assertThat(Transition.after(last, ENDLESS, SUCCEEDED, TWO_RETRIES, NOW, random))
                .isEqualTo(FINISHES);
        assertThat(Transition.after(last, ENDLESS, FAILED_FOR_GOOD, TWO_RETRIES, NOW, random))
                .as("its last run failed, so the job failed")
                .isEqualTo(FAILS);
    }

    @Test
    void onlyEndStatesCanEndAJob() {
        assertThatThrownBy(() -> new Ended(JobState.RUNNING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid final state RUNNING: must be FINISHED, FAILED or CANCELLED.");
    }

    private Transition after(Schedule schedule, JobOutcome outcome) {
        return Transition.after(job().done(), schedule, outcome, TWO_RETRIES, NOW, random);
    }

    private static GivenJob job() {
        return GivenJob.given().scheduledAt(START.minusSeconds(60)).plannedAt(START);
    }

    private static Arguments row(Schedule schedule, JobOutcome outcome, int failures, Transition expected) {
        return Arguments.of(schedule, outcome, failures, expected);
    }

    private static Transition again(int run, long planned, long due, int failures) {
        return new Again(run, START.plusSeconds(planned), START.plusSeconds(due), failures);
    }
}
