package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.MisfirePolicy;
import io.delayjob.schedule.Repeat;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests every kind of schedule to the millisecond, from the call to the last run. */
class RepeatInVirtualTimeTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final DelayJobTester tester = DelayJobTester.create();
    private final Instant start = tester.now();
    private final Calls calls = new Calls(tester);

    @Test
    void oneShots_runOnceAtTheirTime() {
        tester.register(calls.named("job"));
        tester.operations().schedule("job").now();
        tester.operations().schedule("job").after(ofMinutes(30));
        tester.operations().schedule("job").at(start.plus(ofDays(400)));
        tester.operations().schedule("job").at(start.minusSeconds(5));

        tester.advance(ofMinutes(30).minusMillis(1));
        assertThat(calls.count()).isEqualTo(2);
        tester.advance(ofMillis(1));
        assertThat(calls.count()).isEqualTo(3);
        tester.advance(ofDays(500));

        assertThat(calls.after(start)).containsExactly(Duration.ZERO, Duration.ZERO, ofMinutes(30), ofDays(400));
        assertThat(tester).hasNoDelayed("job");
    }

    @Test
    void finite_runsAfterEachGapOnce() {
        repeat(Repeat.finite(ofSeconds(1), ofSeconds(2), ofSeconds(5)));

        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofSeconds(1), ofSeconds(3), ofSeconds(8));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2, 3);
    }

    @Test
    void infinite_repeatsTheGapsForEver() {
        repeat(Repeat.infinite(ofSeconds(1), ofSeconds(2), ofSeconds(5)));

        tester.advance(ofSeconds(17));

        assertThat(calls.after(start))
                .containsExactly(
                        ofSeconds(1),
                        ofSeconds(3),
                        ofSeconds(8),
                        ofSeconds(9),
                        ofSeconds(11),
                        ofSeconds(16),
                        ofSeconds(17));
        assertThat(tester).hasDelayed("job").once().atRun(8);
    }

    @Test
    void offsets_countFromTheFirstPlanning() {
        repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));

        tester.advance(ofDays(30));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofDays(1), ofDays(3));
        assertThat(tester).hasNoDelayed("job");
    }

    @Test
    void growing_doublesUpToItsLimitUntilTheHandlerStopsIt() {
        tester.register(
                calls.with(Handler.named("job"), (arguments, job) -> job.run() == 10 ? Next.stop() : Next.asPlanned()));
        JobId id = tester.operations()
                .schedule("job")
                .repeat(Repeat.growing(ofSeconds(30), 2).upTo(ofHours(1)))
                .id();

        tester.advance(ofDays(2));

        long[] gaps = {30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600};
        assertThat(calls.after(start))
                .containsExactlyElementsOf(IntStream.range(0, gaps.length)
                        .mapToObj(i -> ofSeconds(IntStream.rangeClosed(0, i)
                                .mapToLong(j -> gaps[j])
                                .sum()))
                        .toList());
        assertThat(tester.operations().find(id)).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
    }

    @Test
    void every_countsFromTheDueTimeAndDoesNotDrift() {
        repeat(Repeat.every(ofMillis(333)));

        tester.advance(ofHours(1));

        assertThat(calls.count()).isEqualTo(3_600_000 / 333);
        assertThat(calls.after(start).get(10_000)).isEqualTo(ofMillis(333).multipliedBy(10_001));
    }

    @Test
    void everyPeriod_keepsToTheCalendar() {
        tester.advanceTo(Instant.parse("2031-01-31T09:00:00Z"));
        repeat(Repeat.every(Period.ofMonths(1)).zone(BERLIN).times(14));

        tester.advance(ofDays(500));

        assertThat(calls.times())
                .extracting(at -> at.atZone(BERLIN).toLocalDate())
                .startsWith(LocalDate.of(2031, 2, 28), LocalDate.of(2031, 3, 31), LocalDate.of(2031, 4, 30))
                .contains(LocalDate.of(2032, 2, 29))
                .hasSize(14);
        assertThat(calls.times())
                .extracting(at -> at.atZone(BERLIN).toLocalTime())
                .containsOnly(LocalTime.of(10, 0));
    }

    @Test
    void cron_runsAtThreeInBerlinAcrossBothClockChanges() {
        repeat(Repeat.cron("0 0 3 * * *").zone(BERLIN));

        tester.advance(ofDays(365));

        assertThat(calls.count()).isEqualTo(365);
        assertThat(calls.times())
                .allSatisfy(at -> assertThat(at.atZone(BERLIN).toLocalTime()).isEqualTo(LocalTime.of(3, 0)));
        assertThat(calls.times())
                .contains(
                        ZonedDateTime.of(2030, 3, 31, 3, 0, 0, 0, BERLIN).toInstant(),
                        ZonedDateTime.of(2030, 10, 27, 3, 0, 0, 0, BERLIN).toInstant());
    }

    @Test
    void times_endsItAfterThisNumberOfRuns() {
        repeat(Repeat.every(ofHours(1)).times(3));

        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofHours(2), ofHours(3));
        assertThat(tester).hasNoDelayed("job");
    }

    @Test
    void until_endsItAtThatTime() {
        repeat(Repeat.every(ofHours(1)).until(start.plus(ofMinutes(150))));

        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofHours(2));
    }

    @Test
    void jitter_delaysARunAndNeverThePlan() {
        repeat(Repeat.every(ofHours(1)).jitter(ofMinutes(10)).times(100));

        tester.advance(ofDays(10));

        assertThat(calls.count()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(calls.after(start).get(i))
                    .isBetween(ofHours(i + 1L), ofHours(i + 1L).plusMinutes(10));
        }
        assertThat(calls.after(start)).as("not all the same").doesNotHaveDuplicates();
    }

    @Test
    void handler_choosesTheTimeOfTheNextRun() {
        tester.register(calls.with(
                Handler.named("job"), (arguments, job) -> job.run() < 3 ? Next.after(ofMinutes(7)) : Next.stop()));
        tester.operations().schedule("job").after(ofMinutes(1));

        tester.advance(ofDays(1));

        assertThat(calls.after(start)).containsExactly(ofMinutes(1), ofMinutes(8), ofMinutes(15));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2, 3);
    }

    @Test
    void missedRuns_ofAnEndlessScheduleAreMergedIntoOne() {
        repeat(Repeat.every(ofHours(1)));
        tester.advance(ofMinutes(90));

        whileStopped(ofHours(5));
        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofMinutes(390), ofHours(7));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 6, 7);
    }

    @Test
    void missedRuns_ofAFiniteSchedule_areMadeLater() {
        repeat(Repeat.every(ofHours(1)).times(4));

        whileStopped(ofHours(10));
        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(ofHours(10), ofHours(10), ofHours(10), ofHours(10));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2, 3, 4);
    }

    @Test
    void missedRuns_areSkippedOnRequestAndRecorded() {
        JobId id = repeat(Repeat.every(ofHours(1)).misfire(MisfirePolicy.SKIP));

        whileStopped(ofMinutes(330));
        tester.advance(ofHours(1));

        assertThat(calls.after(start)).containsExactly(ofHours(6));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(6);
        assertThat(tester.operations().find(id)).get().extracting(Job::run).isEqualTo(7);
    }

    @Test
    void manyJobs_areSpreadAndAllRun() {
        tester.register(calls.with(
                Handler.named("job").parameters(new PayloadParameter("n", int.class)), (arguments, job) -> null));
        List<JobId> ids = IntStream.range(0, 5_000)
                .mapToObj(n ->
                        tester.operations().schedule("job").with(Map.of("n", n)).after(ofMillis(n)))
                .map(Scheduled::id)
                .toList();

        tester.advance(ofSeconds(5));

        assertThat(calls.all()).extracting(Calls.Call::id).containsExactlyElementsOf(ids);
        assertThat(calls.all()).allSatisfy(call -> assertThat(call.at()).isEqualTo(call.dueAt()));
        assertThat(tester.operations().find(JobQuery.state(JobState.FINISHED))).hasSize(100);
    }

    private JobId repeat(Repeat schedule) {
        tester.register(calls.named("job"));
        return tester.operations().schedule("job").repeat(schedule).id();
    }

    private void whileStopped(Duration duration) {
        tester.engine().stop();
        tester.advance(duration);
        tester.engine().start();
        tester.runDue();
    }
}
