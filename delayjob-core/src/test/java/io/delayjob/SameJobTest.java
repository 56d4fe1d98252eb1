package io.delayjob;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.ChainStep;
import io.delayjob.job.ChainStep.When;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.JobRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which values of a repeated call with an id are compared. */
class SameJobTest {

    private static final JobId ID = JobId.parse("ffffffff-ffff-4fff-bfff-ffffffffffff");
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private static NewJob job(JobExtras extras) {
        return new NewJob(
                ID,
                new Partition("default", 0),
                new JobTask("load", null, null, null, null, extras.toText()),
                JobPlan.once(NOW, NOW),
                OnExisting.KEEP,
                1);
    }

    private static NewJob chain(When when, String queue, @Nullable String resultName, String payload) {
        JobId next = ID.followers(1).get(0);
        return job(JobExtras.NONE.withSteps(List.of(new ChainStep(next, when, queue, "check", resultName, payload))));
    }

    private static void assertDiffers(NewJob asked, Job existing) {
        assertThatThrownBy(() -> SameJob.check(asked, existing))
                .isInstanceOf(JobIdTakenException.class)
                .hasMessageContaining("chain");
    }

    @Test
    void fairKey_isNotCompared_becauseADeployMayHaveAddedARule() {
        Job existing = job(JobExtras.NONE.withMutex("account-7")).toJob();
        NewJob asked = job(JobExtras.NONE.withMutex("account-7").withFairKey("tenant-7"));

        assertThatCode(() -> SameJob.check(asked, existing)).doesNotThrowAnyException();
        assertDiffers(job(JobExtras.NONE.withFairKey("tenant-7")), existing);
    }

    @Test
    void whatAttemptsAndTheHandlerHaveAdded_isNotCompared() {
        JobExtras stated = JobExtras.NONE.withMutex("account-7");
        JobLog log = new JobLog(1, List.of(new JobLog.Line(NOW, "read page 17")));
        Job running = JobRules.claimed(
                job(stated.withKeepFor(Duration.ofDays(90)).withLog(log)).toJob(), 1, 2, NOW);
        Job onlyKept = JobRules.claimed(
                job(JobExtras.NONE.withKeepFor(Duration.ofDays(90))).toJob(), 1, 2, NOW);

        assertThatCode(() -> SameJob.check(job(stated), running)).doesNotThrowAnyException();
        assertThatCode(() -> SameJob.check(job(JobExtras.NONE), onlyKept)).doesNotThrowAnyException();
        assertDiffers(job(JobExtras.NONE), running);
    }

    @Test
    void queueAndResultNameOfAFollower_areNotCompared() {
        Job existing = chain(When.FINISHED, "old", "rows", "{}").toJob();

        assertThatCode(() -> SameJob.check(chain(When.FINISHED, "new", "lines", "{}"), existing))
                .doesNotThrowAnyException();
        assertDiffers(chain(When.FINISHED_OR_FAILED, "old", "rows", "{}"), existing);
        assertDiffers(chain(When.FINISHED, "old", "rows", "[]"), existing);
        assertDiffers(job(JobExtras.NONE), existing);
    }

    @Test
    void groupThatARetryHasTakenFromTheJob_isNotCompared() {
        NewJob asked = job(JobExtras.NONE.withLabel("web").withGroupName("import-42"));
        Job running = JobRules.claimed(asked.toJob(), 1, 2, NOW);
        Job retried = JobRules.retriedAlone(JobRules.completed(running, failure(running)), NOW, 4);

        assertThatCode(() -> SameJob.check(asked, retried)).doesNotThrowAnyException();
        assertDiffers(job(JobExtras.NONE.withGroupName("import-42")), retried);
        assertDiffers(asked, job(JobExtras.NONE.withLabel("web")).toJob());
    }

    @Test
    void groupOfAJobInItsFirstAttempt_isCompared_becauseNoRetryHasTakenAGroupFromTheJob() {
        NewJob asked = job(JobExtras.NONE.withLabel("web").withGroupName("import-42"));
        Job first = JobRules.claimed(job(JobExtras.NONE.withLabel("web")).toJob(), 1, 2, NOW);
        Job failed = JobRules.completed(first, failure(first));
        Job second = JobRules.claimed(JobRules.retriedAlone(failed, NOW, 4), 1, 5, NOW);

        assertDiffers(asked, first);
        assertDiffers(asked, failed);
        assertThatCode(() -> SameJob.check(asked, second)).doesNotThrowAnyException();
        assertThatCode(() -> SameJob.check(asked, JobRules.completed(second, failure(second))))
                .doesNotThrowAnyException();
    }

    private static Completion failure(Job running) {
        return new Completion(
                running,
                new JobOutcome.Failed(Failure.of("Broken", "it broke"), false),
                new Transition.Ended(JobState.FAILED),
                running.token() + 1,
                NOW,
                null,
                true,
                List.of());
    }

    @Test
    void extrasThatTheHistoryNoLongerHas_areNotCompared() {
        NewJob asked = job(JobExtras.NONE.withLabel("web"));
        Job waiting = job(JobExtras.NONE).toJob();
        Job running = JobRules.claimed(waiting, 1, 2, NOW);
        Completion end = new Completion(
                running,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                3,
                NOW,
                null,
                true,
                List.of());

        assertDiffers(asked, waiting);
        assertThatCode(() -> SameJob.check(asked, JobRules.completed(running, end)))
                .doesNotThrowAnyException();
    }
}
