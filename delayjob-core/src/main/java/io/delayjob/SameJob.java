package io.delayjob;

import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import java.util.Objects;

/**
 * Checks whether a call with a given id repeats an earlier call. Compares only values that the row of the earlier job
 * still contains.
 */
final class SameJob {

    private SameJob() {}

    static void check(NewJob asked, Job existing) {
        if (!asked.name().equals(existing.name())) {
            throw new JobIdTakenException(asked.id(), "name");
        }
        // A running job may have lost its key to another job, and a withdrawn job has no key.
        if (existing.key() != null && !existing.key().equals(asked.key())) {
            throw new JobIdTakenException(asked.id(), "key");
        }
        if (keepsPayload(existing) && !Objects.equals(asked.payload(), existing.payload())) {
            throw new JobIdTakenException(asked.id(), "arguments");
        }
        if (!Objects.equals(asked.schedule(), existing.schedule())) {
            throw new JobIdTakenException(asked.id(), "schedule");
        }
        if (!Objects.equals(asked.retry(), existing.retry())) {
            throw new JobIdTakenException(asked.id(), "retry policy");
        }
        boolean keepsExtras =
                !existing.state().isEnded() || !existing.extras().asStated().equals(JobExtras.NONE);
        if (keepsExtras
                && !asScheduled(JobExtras.parse(asked.extras()), existing)
                        .equals(asScheduled(existing.extras(), existing))) {
            throw new JobIdTakenException(asked.id(), "expiry, mutex, rate key, labels, group or chain");
        }
    }

    /**
     * Leaves out the queues of followers and the names of their parameters, because a deployment may have changed them.
     */
    private static JobExtras asScheduled(JobExtras extras, Job existing) {
        boolean keepsChain = existing.extras().follower() == null;
        JobExtras stated = mayHaveLeftItsGroup(existing) ? extras.asStated().withGroup(null) : extras.asStated();
        return keepsChain
                ? stated.withSteps(
                        extras.steps().stream().map(SameJob::asCompared).toList())
                : stated.withoutChain();
    }

    /**
     * If a failed job is retried by hand after its group has ended, the job leaves the group. At that time, the job has
     * had an attempt. So an attempt after the retry is at least the second attempt.
     */
    private static boolean mayHaveLeftItsGroup(Job existing) {
        int fewestAttempts = switch (existing.state()) {
            case RUNNING, FINISHED, FAILED -> 2;
            case DELAYED, READY, AWAITING, CANCELLED -> 1;
        };
        return existing.attempt() >= fewestAttempts && existing.extras().groupName() == null;
    }

    private static ChainStep asCompared(ChainStep step) {
        return new ChainStep(step.id(), step.when(), "", step.name(), null, step.payload());
    }

    private static boolean keepsPayload(Job existing) {
        boolean kept = !existing.state().isEnded() || existing.state() == JobState.FAILED;
        return kept && existing.oversize() == null;
    }
}
