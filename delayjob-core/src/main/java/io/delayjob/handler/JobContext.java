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
 * idempotency key for other systems. If a call {@linkplain io.delayjob.job.OnExisting#REPLACE replaces} a repeating
 * job, the runs of the job are counted from 1 again. The pair ({@link #id}, {@link #attempt}) identifies this single
 * attempt. Thread-safe.
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

    /** Returns the name of the job's group; {@code null} if the job has no group. */
    default @Nullable String group() {
        return null;
    }

    /** Returns the name of the group that this job follows; {@code null} if the job follows no group. */
    default @Nullable String followsGroup() {
        return null;
    }

    /**
     * Returns the id of the previous job in the chain; {@code null} if there is no previous job. Call {@code
     * jobs.find(id)} to get the previous job.
     */
    default @Nullable JobId follows() {
        return null;
    }

    /** Returns the number of this run of a repeating job, counted from 1. */
    int run();

    /**
     * Returns the number of this attempt, counted from 1 over all runs of the job. The number grows with each attempt.
     * Some numbers may be skipped, but no number is used twice.
     */
    int attempt();

    /** Returns the number of failed and lost attempts of this run so far. */
    int failures();

    /** Returns the planned time of this run, in store time. */
    Instant plannedAt();

    /** Returns the due time of this attempt, in store time. */
    Instant dueAt();

    /**
     * Returns the trace of the call that scheduled the job, as a W3C {@code traceparent}; {@code null} if the job has
     * no trace.
     */
    @Nullable
    String trace();

    /**
     * Tells whether the handler should end now, because its timeout has passed or the instance is stopping. The
     * handler's thread is also interrupted.
     */
    boolean isInterrupted();

    /**
     * Tells whether a cancellation of the job was requested. This instance learns of the request at most one heartbeat
     * later. The request does not interrupt the handler's thread, but no further attempt follows. If the handler throws
     * an exception after the request, the job ends as {@link io.delayjob.job.JobState#CANCELLED}. If the handler
     * returns, the run counts as done.
     */
    boolean isCancelRequested();

    /**
     * Returns the ticket of this attempt. With the ticket, another system can answer the attempt. Sign the ticket, give
     * it to that system, and return {@link Next#awaitAnswer}. An answer is accepted as soon as this method was called,
     * even before the handler has returned.
     *
     * @throws IllegalStateException in an atomic handler
     */
    AnswerTicket ticket();

    /**
     * Reports the progress of this attempt to people who look at the job. The next heartbeat sends the latest values.
     * When the attempt ends, its progress is no longer shown. For each instance, only the oldest 20 attempts with
     * progress are shown.
     *
     * @param done number of parts that are done
     * @param total number of all parts; 0 if the number is unknown
     * @param note a few words, cut to 60 characters; every person who may see the job can read the note
     * @throws IllegalArgumentException if a number is negative
     */
    default void progress(long done, long total, String note) {}

    /** Reports the progress of this attempt without a note. */
    default void progress(long done, long total) {
        progress(done, total, "");
    }

    /**
     * Logs a line for people who look at this job, not for the application's own log. The newest {@value
     * io.delayjob.job.JobLog#MAX_LINES} lines of an attempt are kept. The next heartbeat sends as many of these lines
     * as it has space for. When the attempt ends, its lines are stored with the job: {@link io.delayjob.job.Job#log()}.
     * Three kinds of attempts leave no lines: lost attempts, interrupted attempts, and attempts that were answered
     * before their handler returned.
     *
     * @param message a sentence, cut to {@value io.delayjob.job.JobLog.Line#MAX_LENGTH} characters; control characters
     *     become escapes. Every person who may see the job can read the message
     */
    default void log(String message) {}

    /**
     * Lets the handler rest for the given time, but at most for a minute. During this time, this instance claims no
     * further jobs of the handler. These jobs wait in the store. Attempts under way and jobs that are already claimed
     * are not affected. The present attempt ends as usual. To repeat the present run later, return {@link Next#snooze}.
     *
     * @param time zero or more
     * @throws IllegalArgumentException if the time is negative
     */
    default void rest(Duration time) {}

    /** Returns a text for logs with the job's name and id, and the numbers of the run and the attempt. */
    @Override
    String toString();
}
