package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.StoreException;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StoredJobsTest {

    private final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = spy(new MemoryJobStore(clock::storeMicros));
    private final AtomicBoolean trouble = new AtomicBoolean();
    private final StoredJobs jobs = new StoredJobs(store, clock, trouble::get);

    @Test
    void jobs_areCountedByState_andAgainAfterHalfAMinute() {
        submit(clock.storeTime().minusSeconds(1));
        submit(clock.storeTime().plusSeconds(60));
        submit(clock.storeTime().plusSeconds(60));
        assertThat(jobs.in(JobState.READY)).isEqualTo(1);
        assertThat(jobs.in(JobState.DELAYED)).isEqualTo(2);
        assertThat(jobs.in(JobState.FAILED)).isZero();

        submit(clock.storeTime());
        clock.advance(Duration.ofSeconds(29));
        assertThat(jobs.in(JobState.READY)).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(jobs.in(JobState.READY)).isEqualTo(2);
    }

    @Test
    void storeInTroubleOrAway_givesNoNumber() {
        trouble.set(true);
        assertThat(jobs.in(JobState.FAILED)).isNaN();
        trouble.set(false);
        doThrow(StoreException.unavailable("away", new IllegalStateException()))
                .when(store)
                .counts(any());
        clock.advance(Duration.ofSeconds(30));
        assertThat(jobs.in(JobState.FAILED)).isNaN();
    }

    private void submit(Instant due) {
        NewJob job = new NewJob(
                new JobId(UUID.randomUUID()),
                new Partition("default", 0),
                JobTask.of("nobody's"),
                JobPlan.once(clock.storeTime(), due),
                OnExisting.KEEP,
                1);
        store.submit(List.of(job), rows -> {});
    }
}
