package io.delayjob.store;

import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to find; immutable. Start with {@link #all()} or {@link #state(JobState)} and narrow it down:
 * <pre>{@code
 * jobs.find(JobQuery.state(FAILED).name("send-webhook"));
 * }</pre>
 *
 * @param state only this state; {@link JobState#DELAYED} means waiting and not yet due, {@link JobState#READY} due
 * @param name only this handler name
 * @param key only this key
 * @param after only ids after this one: the {@linkplain JobPage#next() cursor} of the page before
 * @param limit page size, 1 to {@value #MAX_LIMIT}; default {@value #DEFAULT_LIMIT}
 */
public record JobQuery(
        @Nullable JobState state,
        @Nullable String name,
        @Nullable String key,
        @Nullable JobId after,
        int limit) {

    /** Largest page. */
    public static final int MAX_LIMIT = 500;

    private static final int DEFAULT_LIMIT = 100;

    public JobQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "Invalid limit %d: must be from 1 to %d; for more, ask for the next page with after(cursor)."
                            .formatted(limit, MAX_LIMIT));
        }
    }

    /** Every job, unfinished and ended. */
    public static JobQuery all() {
        return new JobQuery(null, null, null, null, DEFAULT_LIMIT);
    }

    /** Jobs in this state. */
    public static JobQuery state(JobState state) {
        return new JobQuery(state, null, null, null, DEFAULT_LIMIT);
    }

    /** Only jobs of this handler name. */
    public JobQuery name(String name) {
        return new JobQuery(state, name, key, after, limit);
    }

    /** Only jobs with this key, in its text form. */
    public JobQuery key(Object key) {
        return new JobQuery(state, name, key.toString(), after, limit);
    }

    /** Only jobs behind this cursor. */
    public JobQuery after(JobId cursor) {
        return new JobQuery(state, name, key, cursor, limit);
    }

    /** At most so many, 1 to {@value #MAX_LIMIT}. */
    public JobQuery limit(int limit) {
        return new JobQuery(state, name, key, after, limit);
    }
}
