package io.delayjob.handler;

import io.delayjob.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may know of the attempt it makes: declare it as the last parameter. ({@link #id}, {@link #run}) names
 * the occurrence, and so serves as an idempotency key towards other systems; ({@link #id}, {@link #attempt}) names this
 * very attempt, and never another. When a repeating job is {@linkplain io.delayjob.job.OnExisting#REPLACE replaced},
 * its runs are counted anew, its attempts are not. Thread-safe.
 */
public interface JobContext {

    /** The job. */
    JobId id();

    /** The name it was stored under. */
    String name();

    /** Its key, or {@code null}. */
    @Nullable
    String key();

    /** Which run of a repeating job this is, from 1. */
    int run();

    /**
     * The number of this attempt, counted from 1 over all runs of the job. It grows from each attempt to the next, with
     * gaps, and never comes again; whether a run is tried for the first time, {@link #failures} tells.
     */
    int attempt();

    /** Failed and lost attempts of this run so far. */
    int failures();

    /** When this run was planned for, in store time. */
    Instant plannedAt();

    /** When this attempt was due, in store time. */
    Instant dueAt();

    /** The trace of the call that scheduled it, as a W3C {@code traceparent}; {@code null}: that was not traced. */
    @Nullable
    String trace();

    /**
     * Whether the handler had better come to its end: its time-out has passed, or the instance is stopping. The thread
     * is interrupted as well.
     */
    boolean isInterrupted();

    /**
     * Whether somebody has asked to cancel the job. This instance hears of it within a heartbeat of the commit. The
     * thread is not interrupted, and no other attempt follows, whatever this one does: a handler that takes its time
     * may ask now and then, and end early by an exception, which ends the job as {@link
     * io.delayjob.job.JobState#CANCELLED}; when it returns, the run counts as done.
     */
    boolean isCancelRequested();

    /** Name, id, run and attempt in a few words, for logs: {@code send-mail (018f…), run 1, attempt 2}. */
    @Override
    String toString();
}
