package io.delayjob.store;

import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.schedule.Stated;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A query for jobs; immutable. Start with {@link #all()} or {@link #state(JobState)}, and add conditions:
 * <pre>{@code
 * jobs.find(JobQuery.state(FAILED).name("send-webhook"));
 * }</pre>
 *
 * <p><strong>Order.</strong> A query for the state {@code FINISHED}, {@code FAILED} or {@code CANCELLED} returns the
 * jobs in the order in which they ended. Any other query returns the jobs in the order of their ids, which usually is
 * the order of creation. To set another order, call {@link #order}. If a query states both a name and a key, the jobs
 * are always ordered by id.
 *
 * <p><strong>Cost.</strong> If name and key are both given, an index finds the job. If the order is
 * {@link JobOrder#DUE} or {@link JobOrder#ENDED}, an index finds the rows of a span of time. The methods {@link #from}
 * and {@link #until} set this span. For every other condition, the store reads rows in the order of the query and skips
 * rows that do not match. One statement reads at most {@value #MAX_LOOK} rows from each table. If the query searches in
 * payloads, one statement reads at most {@value #MAX_PAYLOADS} rows from each table.
 *
 * @param after the {@linkplain JobPage#next() cursor} of the previous page; the query finds only the jobs behind this
 *     cursor
 * @param limit the page size, 1 to {@value #MAX_LIMIT}; default {@value #DEFAULT_LIMIT}
 * @param lookAt maximum number of rows that are read for one page, at least 1. By default, there is no maximum
 */
public record JobQuery(
        JobFilter filter, JobOrder order, @Nullable JobCursor after, int limit, int lookAt) {

    /** Maximum number of jobs in a page. */
    public static final int MAX_LIMIT = 500;

    /** Maximum number of rows that one statement reads from each table. */
    public static final int MAX_LOOK = 20_000;

    /** This maximum is lower than {@link #MAX_LOOK}, because a payload may be as long as a megabyte. */
    private static final int MAX_PAYLOADS = 1_000;

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
                    "Invalid lookAt %d: must be at least 1 row; leave it out to read rows until the page is full."
                            .formatted(lookAt));
        }
        if (filter.state() != null && !order.takes(filter.state())) {
            throw new IllegalArgumentException(
                    "Invalid order %s for state %s: must be OLDEST or NEWEST. DUE is allowed for unfinished jobs, and ENDED for ended jobs."
                            .formatted(order, filter.state()));
        }
        if (after != null && (after.time() != null) != inOrderOfTimes(filter, order)) {
            throw new IllegalArgumentException(
                    "Invalid cursor '%s': it belongs to pages in another order. Take the 'next' of a page of this same query, and set the cursor after the order."
                            .formatted(after));
        }
    }

    /** Returns a query for all jobs, unfinished and ended. */
    public static JobQuery all() {
        return new JobQuery(JobFilter.ALL, JobOrder.OLDEST, null, DEFAULT_LIMIT, AS_FAR_AS_IT_TAKES);
    }

    /** Returns a query for jobs in this state. */
    public static JobQuery state(JobState state) {
        Stated.notNull(state, "state", "must be a JobState; JobQuery.all() finds jobs in every state");
        return all().filter(new JobFilter(state, null, null, null, null, null, null, null, null, null));
    }

    /** Finds only jobs with this handler name. */
    public JobQuery name(String name) {
        Stated.notNull(name, "job name", "must be the name of a handler; leave it out for jobs of all names");
        return filter(new JobFilter(
                state(),
                name,
                key(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                filter.payload(),
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /** Finds only jobs with this key. The method converts the key to text. */
    public JobQuery key(Object key) {
        Stated.notNull(key, "key", "must be a value whose text is the key; leave it out for jobs of all keys");
        return filter(new JobFilter(
                state(),
                name(),
                key.toString(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                filter.payload(),
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /** Finds only jobs of this queue. */
    public JobQuery queue(String queue) {
        Stated.notNull(queue, "queue", "must be the name of a queue; leave it out for jobs of all queues");
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                queue,
                filter.errorType(),
                filter.label(),
                filter.payload(),
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /**
     * Finds only jobs that ended with a failure of this type.
     *
     * @param type the type as in {@link io.delayjob.job.Failure#type()}, usually the name of an exception's class
     */
    public JobQuery error(String type) {
        Stated.notNull(type, "type of an error", "must be the class name of an exception; leave it out for all jobs");
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                type,
                filter.label(),
                filter.payload(),
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /** Finds only jobs with this {@linkplain io.delayjob.ScheduleSpec#label label}. Labels have no index. */
    public JobQuery label(String label) {
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                filter.errorType(),
                JobExtras.checkLabel(label),
                filter.payload(),
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /**
     * Finds only jobs with this text in their payload. The search is case-sensitive. Payloads have no index. Finished
     * and cancelled jobs no longer have a payload.
     *
     * @param text part of the stored payload, which usually is JSON
     */
    public JobQuery payload(String text) {
        Stated.notNull(text, "part of a payload", "must be a text; leave it out for all jobs");
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                text,
                filter.group(),
                filter.from(),
                filter.until()));
    }

    /**
     * Finds only members of the {@linkplain io.delayjob.JobGroup group} with this name. There is no index for the
     * members of a group.
     */
    public JobQuery group(String name) {
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                filter.payload(),
                GroupRef.checkName(name),
                filter.from(),
                filter.until()));
    }

    /**
     * Finds only jobs from this time on. An unfinished job must be due at this time or later. An ended job must have
     * ended at this time or later.
     */
    public JobQuery from(Instant time) {
        Stated.notNull(time, "instant", "must be a time; leave it out for jobs of all times");
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                filter.payload(),
                filter.group(),
                time,
                filter.until()));
    }

    /**
     * Finds only jobs before this time. An unfinished job must be due before this time. An ended job must have ended
     * before this time.
     */
    public JobQuery until(Instant time) {
        Stated.notNull(time, "instant", "must be a time; leave it out for jobs of all times");
        return filter(new JobFilter(
                state(),
                name(),
                key(),
                filter.queue(),
                filter.errorType(),
                filter.label(),
                filter.payload(),
                filter.group(),
                filter.from(),
                time));
    }

    private JobQuery filter(JobFilter changed) {
        return new JobQuery(changed, order, after, limit, lookAt);
    }

    /**
     * Sets the order of the jobs.
     *
     * @throws IllegalArgumentException if {@link JobOrder#DUE} is combined with an ended state, or {@link
     *     JobOrder#ENDED} with an unfinished state
     */
    public JobQuery order(JobOrder order) {
        Stated.notNull(order, "order", "must be a JobOrder; leave it out for the oldest first");
        return new JobQuery(filter, order, after, limit, lookAt);
    }

    /** Finds only jobs after this cursor, which must come from a page of the same query. */
    public JobQuery after(JobCursor cursor) {
        Stated.notNull(cursor, "cursor", "must be the next() of the previous page; leave it out for the first page");
        return new JobQuery(filter, order, cursor, limit, lookAt);
    }

    /** Sets the maximum number of jobs in one page, 1 to {@value #MAX_LIMIT}. */
    public JobQuery limit(int limit) {
        return new JobQuery(filter, order, after, limit, lookAt);
    }

    /**
     * Sets the maximum number of rows that are read from each table for one page. A page may then contain fewer jobs
     * than its limit, although there is a next page.
     */
    public JobQuery lookAt(int rows) {
        return new JobQuery(filter, order, after, limit, rows);
    }

    /** Returns the state of the jobs to find, or {@code null} for any state. */
    public @Nullable JobState state() {
        return filter.state();
    }

    /** Returns the handler name of the jobs to find, or {@code null} for any name. */
    public @Nullable String name() {
        return filter.name();
    }

    /** Returns the key of the jobs to find, or {@code null} for any key. */
    public @Nullable String key() {
        return filter.key();
    }

    /** Returns the maximum number of rows that one statement reads from each table. */
    public int look() {
        return Math.min(lookAt, filter.payload() == null ? MAX_LOOK : MAX_PAYLOADS);
    }

    /** Tells whether ended jobs may match. */
    public boolean mayFindEnded() {
        return order != JobOrder.DUE && (state() == null || state().isEnded());
    }

    /** Tells whether unfinished jobs may match. */
    public boolean mayFindUnfinished() {
        return order != JobOrder.ENDED && filter.errorType() == null && (state() == null || !state().isEnded());
    }

    /** Tells whether pages are ordered by due times or end times, and not by ids. */
    public boolean inOrderOfTimes() {
        return inOrderOfTimes(filter, order);
    }

    private static boolean inOrderOfTimes(JobFilter filter, JobOrder order) {
        boolean ofOneEndedState = filter.state() != null && filter.state().isEnded();
        return !filter.isOfOneKey() && (order == JobOrder.DUE || order == JobOrder.ENDED || ofOneEndedState);
    }

    /** Returns the cursor for the place after this job, in the order of this query. */
    public JobCursor behind(Job job) {
        return new JobCursor(inOrderOfTimes() ? timeOf(job) : null, job.id());
    }

    /** Tells whether a job comes behind the cursor that {@link #after()} returns, in the order of this query. */
    public boolean isBehindCursor(Job job) {
        if (after == null) {
            return true;
        }
        int byTime = after.time() == null ? 0 : timeOf(job).compareTo(after.time());
        int order = byTime == 0 ? job.id().compareTo(after.id()) : byTime;
        return this.order.isReversed() ? order < 0 : order > 0;
    }

    /** Returns the order of this query as a comparator. */
    public Comparator<Job> comparator() {
        Comparator<Job> byId = Comparator.comparing(Job::id);
        Comparator<Job> ascending =
                inOrderOfTimes() ? Comparator.comparing(this::timeOf).thenComparing(byId) : byId;
        return order.isReversed() ? ascending.reversed() : ascending;
    }

    private Instant timeOf(Job job) {
        return order == JobOrder.DUE ? job.dueAt() : Objects.requireNonNull(job.endedAt());
    }

    /** Returns the id after which the page begins; {@code null} for the first page. */
    public @Nullable JobId afterId() {
        return after == null ? null : after.id();
    }
}
