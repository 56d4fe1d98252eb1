package io.delayjob.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.Partition;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoryHistoryTest {

    private static final int MOST = MemoryHistory.MAX_JOBS_PER_STATE;

    private final Random random = new Random(9);
    private final MemoryHistory history = new MemoryHistory();

    private Job ended(JobState state, @Nullable String key, long endMillis) {
        JobId id = JobId.create(endMillis, random);
        Instant end = Instant.ofEpochMilli(endMillis);
        Failure failure = state == JobState.FAILED ? Failure.of("Broken", "broken") : null;
        return new Job(
                id,
                new Partition("default", 0),
                JobTask.of("mail").withKey(key),
                JobPlan.once(end, end),
                new JobProgress(state, 7, 0, end, false, new AttemptCounts(1, 0, 0, 0)),
                new JobEnd(null, end, failure));
    }

    private Job saved(JobState state, @Nullable String key, long endMillis) {
        Job job = ended(state, key, endMillis);
        history.save(job);
        return job;
    }

    @Test
    void history_ofOneStateThatIsFull_forgetsTheJobsThatEndedFirst() {
        Job first = saved(JobState.FINISHED, "first", 1);
        for (int i = 2; i <= MOST + 1; i++) {
            saved(JobState.FINISHED, null, i);
        }

        assertThat(history.count(JobState.FINISHED)).isEqualTo(MOST);
        assertThat(history.find(first.id())).isNull();
        assertThat(history.newest("mail", "first")).isNull();
    }

    @Test
    void deadLetter_amongManyJobsThatEndedWell_isKept() {
        Job failed = saved(JobState.FAILED, null, 1);
        for (int i = 2; i <= MOST + 10; i++) {
            saved(JobState.FINISHED, null, i);
        }

        assertThat(history.find(failed.id())).isEqualTo(failed);
    }

    @Test
    void cancelledSchedule_inAFullHistory_isKeptSoThatItDoesNotComeBack() {
        Job declared = saved(JobState.CANCELLED, Job.DECLARED_KEY, 1);
        Job first = saved(JobState.CANCELLED, null, 2);
        for (int i = 3; i <= MOST + 1; i++) {
            saved(JobState.CANCELLED, null, i);
        }

        assertThat(history.find(declared.id())).isEqualTo(declared);
        assertThat(history.find(first.id())).isNull();
    }

    @Test
    void jobsOfOneKey_areFoundNewestFirstAndForgottenOneByOne() {
        Job older = saved(JobState.FINISHED, "1", 1);
        Job newer = saved(JobState.FAILED, "1", 2);
        saved(JobState.FINISHED, "2", 3);

        assertThat(history.newest("mail", "1")).isEqualTo(newer);
        history.delete(newer.id());
        assertThat(history.newest("mail", "1")).isEqualTo(older);
        history.delete(older.id());
        assertThat(history.newest("mail", "1")).isNull();
    }

    /** A search in all jobs would take a hundred times as long. */
    @Test
    void lookUpByKey_amongAHundredTimesAsManyJobs_takesAboutAsLong() {
        for (int i = 0; i < 900; i++) {
            saved(JobState.FINISHED, "key-" + i, i);
        }
        long amongFew = nanosOfLookUps();
        for (int i = 900; i < 90_000; i++) {
            saved(JobState.FINISHED, "key-" + i, i);
        }

        assertThat(nanosOfLookUps()).isLessThan(20 * amongFew);
    }

    private long nanosOfLookUps() {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                assertThat(history.newest("mail", "never")).isNull();
            }
            best = Math.min(best, System.nanoTime() - start);
        }
        return best;
    }
}
