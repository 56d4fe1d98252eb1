package io.delayjob.actuate.endpoint;

import io.delayjob.job.ChainFollower;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs before and after a job in its chain.
 *
 * @param follows id of the previous job; absent for the first job
 * @param then the next jobs in order, up to the first job that has a row; absent if no job follows
 */
record ChainDescriptor(@Nullable String follows, @Nullable List<StepDescriptor> then) {

    /** @param always whether the job also starts after a failure; absent if the job already has a row */
    record StepDescriptor(String id, String name, @Nullable Boolean always, boolean written) {

        private static StepDescriptor of(ChainStep step) {
            boolean always = step.when() == ChainStep.When.FINISHED_OR_FAILED;
            return new StepDescriptor(step.id().toString(), step.name(), always, false);
        }

        private static StepDescriptor of(ChainFollower follower) {
            return new StepDescriptor(follower.id().toString(), follower.name(), null, true);
        }
    }

    static @Nullable ChainDescriptor of(Job job) {
        JobExtras extras = job.extras();
        JobId follows = extras.follows();
        List<StepDescriptor> then = then(job.state(), extras);
        return follows == null && then.isEmpty()
                ? null
                : new ChainDescriptor(follows == null ? null : follows.toString(), then.isEmpty() ? null : then);
    }

    private static List<StepDescriptor> then(JobState state, JobExtras extras) {
        ChainFollower follower = extras.follower();
        if (follower != null) {
            return List.of(StepDescriptor.of(follower));
        }
        return state == JobState.CANCELLED
                ? List.of()
                : extras.steps().stream().map(StepDescriptor::of).toList();
    }
}
