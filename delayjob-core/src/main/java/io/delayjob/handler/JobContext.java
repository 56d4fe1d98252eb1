package io.delayjob.handler;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handler information about its present attempt. To get the context, declare a parameter of this type as the
 * handler's last parameter. The pair ({@link #id}, {@link #run}) identifies the occurrence of the job, and serves as an
 * idempotency key for other systems. The pair ({@link #id}, {@link #attempt}) identifies this single attempt. If a call
 * {@linkplain io.delayjob.job.OnExisting#REPLACE replaces} a repeating job, the runs of the job are counted from 1
 * again. But the numbers of its attempts continue. Thread-safe.
 */
public interface JobContext {

    /** Returns the job's id. */
    JobId id();

    /** Returns the name under which the job was stored. */
    String name();

    /** Returns the job's key; {@code null} if the job has no key. */
    @Nullable
    String key();

    /** Returns the job's labels, in alphabetical order. */
    default List<String> labels() {
        return List.of();
    }

    /** Returns the name of the group that the job is a member of; {@code null} if the job has no group. */
    default @Nullable String group() {
        return null;
    }

    /**
     * Returns the name of the group that this job follows; {@code null} if it follows no group. The end of that group,
     * or a failure in it, has made this job due.
     */
    default @Nullable String followsGroup() {
        return null;
    }

    /**
     * Returns the id of the previous job in the chain; {@code null} if there is none. {@code jobs.find(id)} returns
     * that job and tells how it ended.
     */
    default @Nullable JobId follows() {
        return null;
    }

    /** Returns the number of this run of a repeating job, from 1. */
    int run();

    /**
     * Returns the number of this attempt, counted from 1 over all runs of the job. The number grows from each attempt
     * to the next. Numbers may be skipped, but each number is used at most once. {@link #failures} tells how many
     * earlier attempts of this run have failed or were lost.
     */
    int attempt();

    /** Returns the number of failed and lost attempts of this run so far. */
    int failures();

    /** Returns the planned time of this run, in store time. */
    Instant plannedAt();

    /** Returns the due time of this attempt, in store time. */
    Instant dueAt();

    /**
     * Returns the trace of the call that scheduled the job, as a W3C {@code traceparent}, or {@code null} if that call
     * was not traced.
     */
    @Nullable
    String trace();

    /**
     * Tells whether the handler should end now: its timeout has passed, or the instance is stopping. In both cases, the
     * thread of the handler is interrupted.
     */
    boolean isInterrupted();

    /**
     * Tells whether a cancellation of the job was requested. This instance learns of such a request at most one
     * heartbeat after the commit of the request. The request does not interrupt the handler's thread. After the
     * request, no further attempt follows, even if this attempt fails. A handler that runs for long may call this
     * method from time to time. If the handler then throws an exception, the job ends as {@link
     * io.delayjob.job.JobState#CANCELLED}. If the handler returns instead, the run counts as done.
     */
    boolean isCancelRequested();

    /**
     * Returns the ticket of this attempt for an answer from another system. Sign the ticket, give it to the system that
     * continues the work, and return {@link Next#awaitAnswer}. An answer is accepted from this call on, even before the
     * handler has returned.
     *
     * @throws IllegalStateException in an atomic handler, because an answer before the commit of the handler's
     *     transaction would roll that transaction back
     */
    AnswerTicket ticket();

    /**
     * Reports the progress of this attempt, for people to see. The call only stores the values in memory. The next
     * heartbeat of the instance sends the latest values, so people see them some seconds later. When the attempt ends,
     * the values are no longer shown. If more than 20 attempts of the instance report progress, only the progress of
     * the oldest 20 is shown.
     *
     * @param done number of parts that are done
     * @param total number of all parts; 0 if the number is unknown
     * @param note a few words; a longer text is cut to 60 characters. Every person who may see the job can read the
     *     note
     * @throws IllegalArgumentException if a number is negative
     */
    default void progress(long done, long total, String note) {}

    /** Reports the progress of this attempt without a note, as {@link #progress(long, long, String)} does. */
    default void progress(long done, long total) {
        progress(done, total, "");
    }

    /**
     * Logs a line for people who look at this job. The call only keeps the line in memory. The newest {@value
     * io.delayjob.job.JobLog#MAX_LINES} lines of an attempt are kept. The next heartbeat of the instance sends these
     * lines, together with the {@linkplain #progress(long, long, String) progress}. If a heartbeat has no space for all
     * lines of the instance, the newest line of each attempt has priority. When the attempt ends, its lines are stored
     * with the job: {@link io.delayjob.job.Job#log()}. Three kinds of attempts leave no lines: lost attempts,
     * interrupted attempts, and attempts that were answered from outside before their handler returned. The line does
     * not go to the application's own log.
     *
     * @param message a sentence. A longer text is cut to {@value io.delayjob.job.JobLog.Line#MAX_LENGTH} characters,
     *     and control characters become escapes. Every person who may see the job can read the sentence
     */
    default void log(String message) {}

    /**
     * Lets the handler rest: for the given time, this instance starts no further jobs of it. This helps, for example,
     * if the system that the handler calls is overloaded. During this time, other jobs of the handler wait in the
     * store, and cost nothing. The handler rests for at most a minute, even if the given time is longer. Attempts under
     * way and jobs that are already claimed are not affected. The present attempt ends as usual; to repeat its run
     * later, return {@link Next#snooze}.
     *
     * @param time how long no further job starts, zero or more
     * @throws IllegalArgumentException if the time is negative
     */
    default void rest(Duration time) {}

    /**
     * Returns the job's name and id, and the numbers of run and attempt, for logs, such as
     * {@code send-mail (018f…), run 1, attempt 2}.
     */
    @Override
    String toString();
}
