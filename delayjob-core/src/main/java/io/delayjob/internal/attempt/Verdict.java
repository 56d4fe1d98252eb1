package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decision about a claimed job, as far as it can be made before its handler is called. */
sealed interface Verdict {

    /**
     * The handler is to be called.
     *
     * @param job the job at the run that is attempted
     * @param merged the runs that this run replaces
     */
    record Call(Job job, AttemptRules rules, List<@Nullable Object> arguments, Misfire.@Nullable Merged merged)
            implements Verdict {}

    /**
     * The outcome is decided without a call.
     *
     * @param job the job at the run that ends like this
     * @param merged the runs that this run replaces
     */
    record Foregone(Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged)
            implements Verdict {

        /** Creates the decision about a job at its present run. */
        Foregone(Job job, AttemptRules rules, JobOutcome outcome) {
            this(job, rules, outcome, null);
        }
    }

    /**
     * The job cannot be read here, but perhaps by an instance of another version.
     *
     * @param patience time for which the job is still left to other instances before it fails
     */
    record Unreadable(Throwable cause, Duration patience) implements Verdict {}

    /** The job has no handler here. */
    record NoHandler() implements Verdict {}
}
