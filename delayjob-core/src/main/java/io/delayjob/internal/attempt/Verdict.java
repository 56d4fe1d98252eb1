package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

sealed interface Verdict {

    /** @param merged the runs that this run replaces */
    record Call(Job job, AttemptRules rules, List<@Nullable Object> arguments, Misfire.@Nullable Merged merged)
            implements Verdict {}

    /** @param job the job with the run that gets this outcome */
    record Foregone(Job job, AttemptRules rules, JobOutcome outcome, Misfire.@Nullable Merged merged)
            implements Verdict {

        Foregone(Job job, AttemptRules rules, JobOutcome outcome) {
            this(job, rules, outcome, null);
        }
    }

    /**
     * An instance of another version may be able to read the job.
     *
     * @param patience how long the job is left to other instances before it fails
     */
    record Unreadable(Throwable cause, Duration patience) implements Verdict {}

    record NoHandler() implements Verdict {}
}
