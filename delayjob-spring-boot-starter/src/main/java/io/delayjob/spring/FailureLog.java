package io.delayjob.spring;

import io.delayjob.event.JobListener;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs exceptions of handlers, with a stack trace only for the first and the last failure of a run. */
final class FailureLog implements JobListener {

    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        Failure failure = failure(outcome);
        if (failure != null) {
            boolean retried = next.retries(job);
            boolean traced = job.failures() == 0 || !retried;
            log.atWarn()
                    .setCause(traced ? thrown(outcome) : null)
                    .log(
                            "Job {} ({}) failed in run {} (attempt {}). {}. The failure: {}",
                            job.id(),
                            job.name(),
                            job.run(),
                            job.attempt(),
                            prospect(next, retried),
                            failure);
        }
    }

    private static String prospect(Transition next, boolean retried) {
        if (next instanceof Transition.Again again) {
            return (retried ? "The run is tried again at " : "The run is given up, and the next run is due at ")
                    + again.dueAt();
        }
        return next instanceof Transition.Ended ended && ended.state() == JobState.CANCELLED
                ? "The job was cancelled meanwhile"
                : "The job has FAILED, and can be retried by hand";
    }

    private static @Nullable Throwable thrown(JobOutcome outcome) {
        return outcome instanceof JobOutcome.Failed failed ? failed.thrown() : null;
    }

    private static @Nullable Failure failure(JobOutcome outcome) {
        if (outcome instanceof JobOutcome.Failed failed) {
            return failed.failure();
        }
        return outcome instanceof JobOutcome.TimedOut timedOut ? timedOut.failure() : null;
    }
}
