package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.RETURNS_SELF;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.delayjob.DelayJobOperations;
import io.delayjob.NamedSpec;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.schedule.Repeat;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DeclaredSchedulesTest {

    private static final Repeat HOURLY = Repeat.every(Duration.ofHours(1));

    private final DelayJobOperations operations = mock(DelayJobOperations.class);
    private final NamedSpec spec = mock(NamedSpec.class, RETURNS_SELF);
    private final DeclaredSchedules schedules = new DeclaredSchedules(operations, DelayJobTransactions.NONE);

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());

    @BeforeEach
    void toldOfChanges() {
        logging.setLogLevel(DeclaredSchedules.class.getName(), LogLevel.INFO);
    }

    @AfterEach
    void toldAsBefore() {
        logging.setLogLevel(DeclaredSchedules.class.getName(), null);
    }

    @BeforeEach
    void nothingStored() {
        given(operations.schedule("purge")).willReturn(spec);
        schedules.add(new DeclaredSchedule("purge", Set.of("clean"), "night", HOURLY));
    }

    private void stored(String name, Job job) {
        given(operations.find(name, "@schedule")).willReturn(Optional.of(job));
    }

    private static Job job(String name, JobState state, Repeat repeat) {
        return job(name, "night", state, repeat);
    }

    private static Job job(String name, String queue, JobState state, Repeat repeat) {
        JobId id = new JobId(new UUID(1, state.ordinal()));
        Instant then = Instant.EPOCH;
        return new Job(
                id,
                new Partition(queue, 0),
                name,
                "@schedule",
                null,
                repeat.toText(),
                null,
                null,
                state,
                1,
                then,
                then,
                then,
                1,
                0,
                0,
                0,
                0,
                false,
                0,
                null,
                null,
                null);
    }

    private void assertScheduled(OnExisting onExisting) {
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        verify(spec).queue("night");
        verify(spec).key("@schedule", onExisting);
        verify(spec).repeat(HOURLY);
    }

    private void assertLeftAlone() {
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        verify(operations, never()).cancel(any(JobId.class));
        verify(operations, never()).schedule("purge");
    }

    @Test
    void firstStart_schedules() {
        assertScheduled(OnExisting.KEEP);
    }

    @Test
    void restart_leavesTheJobAlone() {
        stored("purge", job("purge", JobState.DELAYED, HOURLY));
        assertLeftAlone();
    }

    @Test
    void changedExpression_isWritten(CapturedOutput output) {
        stored("purge", job("purge", JobState.DELAYED, Repeat.every(Duration.ofHours(2))));
        assertScheduled(OnExisting.REPLACE);
        assertThat(output)
                .contains(
                        "Job 'purge' repeats as this version declares it, every:PT1H in queue 'night'; stored was 'purge', every:PT2H in queue 'night'.");
    }

    @Test
    void changedQueue_isWritten() {
        stored("purge", job("purge", "default", JobState.DELAYED, HOURLY));
        assertScheduled(OnExisting.REPLACE);
    }

    @Test
    void cancelled_staysCancelledAndIsTold(CapturedOutput output) {
        stored("purge", job("purge", JobState.CANCELLED, HOURLY));
        assertLeftAlone();
        assertThat(output).contains("Job 'purge', which is to start by itself, was cancelled by hand and stays so");
    }

    @Test
    void finished_startsAnew() {
        stored("purge", job("purge", JobState.FINISHED, HOURLY));
        assertScheduled(OnExisting.KEEP);
    }

    @Test
    void renamed_movesToItsNewName() {
        Job former = job("clean", JobState.DELAYED, HOURLY);
        stored("clean", former);
        assertScheduled(OnExisting.REPLACE);
        verify(operations).cancel(former.id());
    }

    @Test
    void cancelledUnderItsFormerName_staysCancelled() {
        stored("clean", job("clean", JobState.CANCELLED, HOURLY));
        assertLeftAlone();
    }

    @Test
    void storeThatIsAway_isAskedAgain() {
        willThrow(new IllegalStateException("away")).given(spec).repeat(HOURLY);
        assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());
        willReturn(null).given(spec).repeat(HOURLY);
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        verify(spec, times(2)).repeat(HOURLY);
    }

    @Test
    void scheduleThatCannotBeWritten_holdsUpNoOther() {
        willThrow(new IllegalStateException("broken")).given(spec).repeat(HOURLY);
        NamedSpec another = mock(NamedSpec.class, RETURNS_SELF);
        given(operations.schedule("report")).willReturn(another);
        schedules.add(new DeclaredSchedule("report", Set.of(), "night", HOURLY));

        assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());
        assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());

        verify(another).repeat(HOURLY);
        verify(spec, times(2)).repeat(HOURLY);
    }
}
