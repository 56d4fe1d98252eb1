package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MinuteStatisticsTest {

    private static final Instant NOW = Instant.parse("2030-01-01T08:00:30Z");

    private static final Duration TOOK = Duration.ofMillis(250);

    private final VirtualClock clock = new VirtualClock(NOW);
    private final MinuteStatistics statistics = new MinuteStatistics(clock);

    private static Job job(String name) {
        return new Job(
                new JobId(new UUID(0, 1)),
                new Partition("default", 0),
                JobTask.of(name),
                JobPlan.once(NOW, NOW),
                new JobProgress(JobState.RUNNING, 7, 1, NOW, false, new AttemptCounts(1, 0, 0, 0)),
                JobEnd.NONE);
    }

    private void start(String name, Duration... lateness) {
        for (Duration each : lateness) {
            statistics.started(job(name), each);
        }
    }

    private void end(JobOutcome outcome, Transition next) {
        statistics.completed(job("mail"), outcome, next, TOOK);
    }

    private MinutesDescriptor since(String from, String step) {
        return statistics.answer(new RequestParameters(Map.of("from", from, "step", step)));
    }

    @Test
    void events_countInTheirMinute() {
        start("mail", Duration.ZERO, Duration.ZERO);
        clock.advance(Duration.ofMinutes(2));
        start("mail", Duration.ZERO);

        MinutesDescriptor answer = since("2030-01-01T07:59:59Z", "1m");

        assertThat(answer.from()).isEqualTo("2030-01-01T07:59:00Z");
        assertThat(answer.starts()).containsExactly(0L, 2L, 0L, 1L);
        assertThat(answer.handlers())
                .singleElement()
                .satisfies(mail -> assertThat(mail.starts()).containsExactly(0L, 2L, 0L, 1L));
    }

    @Test
    void steps_sumTheirMinutes() {
        for (int minute = 0; minute < 6; minute++) {
            start("mail", Duration.ZERO);
            clock.advance(Duration.ofMinutes(1));
        }

        MinutesDescriptor answer = since("2030-01-01T08:01:00Z", "2m");

        assertThat(answer.from()).isEqualTo("2030-01-01T08:00:00Z");
        assertThat(answer.starts()).containsExactly(2L, 2L, 2L, 0L);
    }

    @Test
    void ends_countByWhatBecomesOfTheJob() {
        Failure failure = Failure.of(new IllegalStateException("locked"));
        Transition again = new Transition.Again(1, NOW, NOW, 1);
        end(new JobOutcome.Succeeded(), new Transition.Ended(JobState.FINISHED));
        end(new JobOutcome.Succeeded(), again);
        end(new JobOutcome.Failed(failure, true), again);
        end(new JobOutcome.TimedOut(failure, true), again);
        end(new JobOutcome.Failed(failure, false), new Transition.Ended(JobState.FAILED));

        MinutesDescriptor answer = since("2030-01-01T08:00:00Z", "1m");

        assertThat(answer.succeeded()).containsExactly(2L);
        assertThat(answer.retried()).containsExactly(2L);
        assertThat(answer.failed()).containsExactly(1L);
        assertThat(answer.handlers()).singleElement().satisfies(mail -> {
            assertThat(mail.ended()).isEqualTo(5);
            assertThat(mail.runTime()).isEqualTo(TOOK.multipliedBy(5));
            assertThat(mail.retried()).containsExactly(2L);
            assertThat(mail.failed()).containsExactly(1L);
        });
    }

    @Test
    void lateness_countsUpToItsBound() {
        start("mail", Duration.ZERO, Duration.ofMillis(1), Duration.ofNanos(1_000_001), Duration.ofMinutes(1));
        start("mail", Duration.ofMillis(60_001), Duration.ofDays(400_000));

        List<Long> late = since("2030-01-01T08:00:00Z", "1m").late().get(0);

        assertThat(late).containsExactly(2L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L, 2L);
        assertThat(since("2030-01-01T08:00:00Z", "1m").handlers().get(0).late()).isEqualTo(late);
    }

    @Test
    void anHourLater_theMinuteIsForgotten() {
        start("mail", Duration.ZERO);
        clock.advance(Duration.ofMinutes(59));
        assertThat(since("2030-01-01T08:00:00Z", "1h").starts()).containsExactly(1L);

        clock.advance(Duration.ofMinutes(1));
        assertThat(since("2030-01-01T08:00:00Z", "1h").starts()).containsExactly(0L, 0L);
        assertThat(since("2030-01-01T08:00:00Z", "1h").handlers()).isEmpty();

        start("mail", Duration.ZERO);
        assertThat(since("2030-01-01T08:00:00Z", "1h").starts()).containsExactly(0L, 1L);
    }

    @Test
    void handlersBeyondTheHundredth_countInTheTotalsOnly() {
        IntStream.range(0, 103).forEach(number -> start("handler-" + number, Duration.ZERO));
        start("handler-99", Duration.ZERO);

        MinutesDescriptor answer = since("2030-01-01T08:00:00Z", "1m");

        assertThat(answer.starts()).containsExactly(104L);
        assertThat(answer.handlers()).hasSize(MinuteStatistics.MAX_HANDLERS);
        assertThat(answer.handlers().get(0).name()).isEqualTo("handler-99");
    }

    @Test
    void threadsThatCountTogether_loseNothing() {
        IntStream.range(0, 20_000).parallel().forEach(number -> start("handler-" + number % 150, Duration.ZERO));

        MinutesDescriptor answer = since("2030-01-01T08:00:00Z", "1m");

        assertThat(answer.starts()).containsExactly(20_000L);
        assertThat(answer.handlers()).hasSize(MinuteStatistics.MAX_HANDLERS);
    }

    @Test
    void instanceThatHasJustStarted_answersZeros() {
        MinutesDescriptor answer = since("2030-01-01T05:13:00Z", "1m");

        assertThat(answer.starts()).isEqualTo(Collections.nCopies(168, 0L));
        assertThat(answer.late())
                .hasSize(168)
                .allSatisfy(each -> assertThat(each).isEqualTo(Collections.nCopies(14, 0L)));
        assertThat(answer.handlers()).isEmpty();
    }
}
