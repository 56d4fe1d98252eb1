package io.delayjob.internal.dispatch;

import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done about a claimed job: all that can be told before its handler is called. */
sealed interface Verdict {

    /**
     * Its handler is to be called.
     *
     * @param job the job, at the run that is made
     * @param merged the runs that this one stands in for
     */
    record Call(Job job, AttemptRules rules, List<@Nullable Object> arguments, Misfire.@Nullable Merged merged)
            implements Verdict {}

    /** Its outcome is decided without a call. */
    record Foregone(AttemptRules rules, JobOutcome outcome) implements Verdict {}

    /**
     * It cannot be read here, but perhaps by an instance of another version.
     *
     * @param patience how long it is still left to the others, before it fails
     */
    record Unreadable(Throwable cause, Duration patience) implements Verdict {}

    /** It has no handler here. */
    record NoHandler() implements Verdict {}
}
