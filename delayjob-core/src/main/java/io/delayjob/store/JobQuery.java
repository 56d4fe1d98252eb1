package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.schedule.Stated;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to find; immutable. Start with {@link #all()} or {@link #state(JobState)} and narrow it down:
 * <pre>{@code
 * jobs.find(JobQuery.state(FAILED).name("send-webhook"));
 * }</pre>
 *
 * <p><strong>Order.</strong> Jobs of one ended state come in the order in which they ended, all others in the order of
 * their ids, which is the order of their creation. So do jobs of one name and key.
 *
 * <p><strong>Cost.</strong> Name and key together find a job at once. Any other filter looks at row after row, in the
 * order of the pages, at most {@value #MAX_LOOK} in one statement.
 *
 * @param state only this state; {@link JobState#DELAYED} means waiting and not yet due, {@link JobState#READY} due
 * @param name only this handler name
 * @param key only this key
 * @param after only jobs after this {@linkplain JobPage#next() cursor} of the page before
 * @param limit page size, 1 to {@value #MAX_LIMIT}; default {@value #DEFAULT_LIMIT}
 * @param lookAt how many rows to look at for one page, at least 1; by default as many as it takes to fill the page
 */
public record JobQuery(
        @Nullable JobState state,
        @Nullable String name,
        @Nullable String key,
        @Nullable JobCursor after,
        int limit,
        int lookAt) {

    /** Largest page. */
    public static final int MAX_LIMIT = 500;

    /** Maximum number of rows that a store looks at in one statement, in each table. */
    public static final int MAX_LOOK = 20_000;

    private static final int DEFAULT_LIMIT = 100;

    private static final int AS_FAR_AS_IT_TAKES = Integer.MAX_VALUE;

    public JobQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException(
                    "Invalid limit %d: must be from 1 to %d; for more, ask for the next page with after(cursor)."
                            .formatted(limit, MAX_LIMIT));
        }
        if (lookAt < 1) {
            throw new IllegalArgumentException(
                    "Invalid lookAt %d: must be at least 1 row; leave it out to look until the page is full."
                            .formatted(lookAt));
        }
        if (after != null && (after.endedAt() != null) != inOrderOfEnds(state, name, key)) {
            throw new IllegalArgumentException(
                    "Invalid cursor '%s': it belongs to pages in another order; take the 'next' of a page of this very query, and set it last."
                            .formatted(after));
        }
    }

    /** Every job, unfinished and ended. */
    public static JobQuery all() {
        return new JobQuery(null, null, null, null, DEFAULT_LIMIT, AS_FAR_AS_IT_TAKES);
    }

    /** Jobs in this state. */
    public static JobQuery state(JobState state) {
        Stated.notNull(state, "state", "must be one of JobState; JobQuery.all() finds jobs in every state");
        return new JobQuery(state, null, null, null, DEFAULT_LIMIT, AS_FAR_AS_IT_TAKES);
    }

    /** Only jobs of this handler name. */
    public JobQuery name(String name) {
        Stated.notNull(name, "job name", "must be the name of a handler; leave it out for jobs of all names");
        return new JobQuery(state, name, key, after, limit, lookAt);
    }

    /** Only jobs with this key, in its text form. */
    public JobQuery key(Object key) {
        Stated.notNull(key, "key", "must be a value whose text is the key; leave it out for jobs of all keys");
        return new JobQuery(state, name, key.toString(), after, limit, lookAt);
    }

    /** Only jobs after this cursor, from a page of this same query. */
    public JobQuery after(JobCursor cursor) {
        Stated.notNull(cursor, "cursor", "must be the next() of the page before; leave it out for the first page");
        return new JobQuery(state, name, key, cursor, limit, lookAt);
    }

    /** Maximum number of jobs in one page, 1 to {@value #MAX_LIMIT}. */
    public JobQuery limit(int limit) {
        return new JobQuery(state, name, key, after, limit, lookAt);
    }

    /** Maximum number of rows to look at for one page, in each table; the page may be short and have a next one. */
    public JobQuery lookAt(int rows) {
        return new JobQuery(state, name, key, after, limit, rows);
    }

    /** Maximum number of rows that a store looks at for this, in each table. */
    public int look() {
        return Math.min(lookAt, MAX_LOOK);
    }

    /** Whether name and key are both given, so that an index leads to the jobs. */
    public boolean isOfOneKey() {
        return isOfOneKey(name, key);
    }

    /** Whether pages come in the order in which the jobs ended; otherwise in the order of their ids. */
    public boolean inOrderOfEnds() {
        return inOrderOfEnds(state, name, key);
    }

    private static boolean isOfOneKey(@Nullable String name, @Nullable String key) {
        return name != null && key != null;
    }

    private static boolean inOrderOfEnds(@Nullable JobState state, @Nullable String name, @Nullable String key) {
        return state != null && state.isEnded() && !isOfOneKey(name, key);
    }

    /** The place behind this job in the order of this query. */
    public JobCursor behind(Job job) {
        return new JobCursor(inOrderOfEnds() ? job.endedAt() : null, job.id());
    }

    /** The id after which jobs come; {@code null} at the beginning. */
    public @Nullable JobId afterId() {
        return after == null ? null : after.id();
    }
}
