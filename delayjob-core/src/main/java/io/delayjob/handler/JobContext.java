package io.delayjob.handler;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Information for a handler about its attempt. To get the context, declare it as the handler's last parameter. ({@link
 * #id}, {@link #run}) identifies the occurrence, and serves as an idempotency key for other systems. ({@link #id},
 * {@link #attempt}) identifies this single attempt. When a repeating job is {@linkplain
 * io.delayjob.job.OnExisting#REPLACE replaced}, the count of its runs starts again, and the count of its attempts goes
 * on. Thread-safe.
 */
public interface JobContext {

    /** Returns the job's id. */
    JobId id();

    /** Returns the name under which the job was stored. */
    String name();

    /** Returns the job's key, or {@code null}. */
    @Nullable
    String key();

    /** Returns the job's labels, in alphabetical order. */
    default List<String> labels() {
        return List.of();
    }

    /**
     * Returns the id of the job before this job in its chain, or {@code null}. {@code jobs.find(id)} tells how it
     * ended.
     */
    default @Nullable JobId follows() {
        return null;
    }

    /** Returns the number of this run of a repeating job, from 1. */
    int run();

    /**
     * Returns the number of this attempt, counted from 1 over all runs of the job. The number grows from each attempt
     * to the next, possibly with gaps, and is never used twice. {@link #failures} tells whether this is a run's first
     * attempt.
     */
    int attempt();

    /** Returns the number of failed and lost attempts of this run so far. */
    int failures();

    /** Returns the time for which this run was planned, in store time. */
    Instant plannedAt();

    /** Returns the time at which this attempt was due, in store time. */
    Instant dueAt();

    /**
     * Returns the trace of the call that scheduled the job, as a W3C {@code traceparent}, or {@code null} if it was
     * not traced.
     */
    @Nullable
    String trace();

    /**
     * Tells whether the handler should end now: its time-out has passed, or the instance is stopping. The thread is
     * interrupted as well.
     */
    boolean isInterrupted();

    /**
     * Tells whether a cancellation of the job was requested. This instance learns of the request within a heartbeat of
     * its commit. The thread is not interrupted. No further attempt follows, even if this attempt fails. A handler that
     * runs for long may check this from time to time, and end early by an exception: the job then ends as {@link
     * io.delayjob.job.JobState#CANCELLED}. If the handler returns instead, the run counts as done.
     */
    boolean isCancelRequested();

    /**
     * Returns the ticket with which an answer from outside finds this attempt. Give the signed ticket to the system
     * that goes on with the work, and return {@link Next#awaitAnswer}. An answer counts from now on, even if it comes
     * before the handler has returned.
     *
     * @throws IllegalStateException in an atomic handler, because an answer that came before its commit would undo its
     * work
     */
    AnswerTicket ticket();

    /**
     * Tells people how far this attempt is. The call only keeps the values in memory. The next heartbeat of the
     * instance takes the latest values along, so people see them some seconds later. The values end with the attempt.
     * If more than 20 attempts of the instance report progress, people see only the progress of the oldest 20.
     *
     * @param done number of parts that are done
     * @param total number of all parts; 0 if it is unknown
     * @param note a few words; everybody who may see the job sees them, cut to 60 characters
     * @throws IllegalArgumentException if a number is negative
     */
    default void progress(long done, long total, String note) {}

    /** Tells people how far this attempt is, as {@link #progress(long, long, String)} does, without a note. */
    default void progress(long done, long total) {
        progress(done, total, "");
    }

    /**
     * Lets no further job of this handler start on this instance for that time, because the system that it calls has
     * asked for a rest. The other jobs of the handler wait unclaimed, and cost nothing. After a minute at most, jobs
     * start again and find out whether the rest is over. Attempts under way and jobs that are already claimed go on.
     * This attempt ends as usual; return {@link Next#snooze} to repeat its run later.
     *
     * @param time zero or more
     * @throws IllegalArgumentException if the time is negative
     */
    default void rest(Duration time) {}

    /** Returns name, id, run and attempt in a few words, for logs: {@code send-mail (018f…), run 1, attempt 2}. */
    @Override
    String toString();
}
