package io.delayjob.handler;

import io.delayjob.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a handler may know of the attempt it makes: declare it as the last parameter. ({@link #id}, {@link #run}) names the
 * occurrence, and so serves as an idempotency key towards other systems; {@link #attempt} tells its attempts apart. When a
 * repeating job is {@linkplain io.delayjob.job.OnExisting#REPLACE replaced}, its runs are counted anew. Thread-safe.
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

    /** Which attempt of this run, from 1; numbers may be skipped. */
    int attempt();

    /** Failed and lost attempts of this run so far. */
    int failures();

    /** When this run was planned for, in store time. */
    Instant plannedAt();

    /** When this attempt was due, in store time. */
    Instant dueAt();

    /**
     * Whether the handler had better come to its end: its time-out has passed, or the instance is stopping. The thread is
     * interrupted as well.
     */
    boolean isInterrupted();
}
