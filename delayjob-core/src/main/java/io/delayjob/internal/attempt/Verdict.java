package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Contains the decision about a claimed job before its handler is called. */
sealed interface Verdict {

    /**
     * The handler must be called.
     *
     * @param job the job with the run that will be attempted
     * @param merged the runs that this run replaces
     */
    record Call(Job job, AttemptRules rules, List<@Nullable Object> arguments, Misfire.@Nullable Merged merged)
            implements Verdict {}

    /**
     * The outcome is decided without a call to the handler.
     *
     * @param job the job, with the number and the planned time of the run that gets this outcome
     * @param merged the runs that this run replaces
     */
    record Foregone(Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged)
            implements Verdict {

        Foregone(Job job, AttemptRules rules, JobOutcome outcome) {
            this(job, rules, outcome, null);
        }
    }

    /**
     * This instance cannot read the job. But an instance of another version may be able to read it.
     *
     * @param patience how long the job is left to other instances. After this time, the job fails
     */
    record Unreadable(Throwable cause, Duration patience) implements Verdict {}

    /** This instance does not have the handler of the job. */
    record NoHandler() implements Verdict {}
}
