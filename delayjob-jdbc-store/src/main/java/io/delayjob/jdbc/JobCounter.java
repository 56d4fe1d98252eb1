package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.PageSql;
import io.delayjob.jdbc.dialect.ReadSql;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts jobs for display, up to {@link JobCounts#CAP} of each kind. However many jobs exist, it reads a limited number
 * of index entries. Thread-safe.
 */
final class JobCounter {

    /**
     * Number of jobs to count if the database estimates many times as many. A higher count would not make the answer
     * more precise, and each job that is not cached costs a read from disk.
     */
    private static final long SAMPLE = JobCounts.CAP / 10;

    private static final String DOING = "counting jobs";

    /** A count of unfinished jobs: rows of one state, due or not. */
    private record Count(JobState state, long jobs) {}

    /** Due times later than {@code from}, up to {@code until}, and the maximum number of jobs to count. */
    private record Range(long from, long until, long limit) {}

    private final Transactions transactions;
    private final boolean oneByOne;
    private final PeoplesReads reads;
    private final Sql partitionsInUse;
    private final Sql countUnfinished;
    private final Sql earliestWaiting;
    private final Sql countEnded;

    /** {@code null} if the database has no index for jobs that await an answer. */
    private final @Nullable Sql countAwaiting;

    private final @Nullable Sql estimate;
    private final @Nullable Sql size;

    JobCounter(Transactions transactions, Database database) {
        PageSql pages = database.dialect().pages();
        ReadSql reads = database.dialect().reads();
        this.transactions = transactions;
        this.oneByOne = pages.looksThroughOnePartition();
        this.reads = new PeoplesReads(database);
        this.partitionsInUse = database.keptSql(pages.partitionsInUse());
        this.countUnfinished = database.sql(reads.alongTheIndex() + reads.countUnfinished());
        this.earliestWaiting = database.keptSql(pages.dueAfter());
        this.countEnded = database.sql(reads.alongTheIndex() + reads.countEnded());
        String awaiting = reads.awaiting();
        this.countAwaiting = awaiting == null ? null : database.sql(reads.alongTheIndex() + reads.countSpan(awaiting));
        String estimates = reads.estimateJobs();
        this.estimate = estimates == null ? null : database.sql(estimates);
        String sizes = reads.sizeOfTables();
        this.size = sizes == null ? null : database.sql(sizes);
    }

    /**
     * Counts in a separate transaction, statement by statement. A job that moves meanwhile may be counted twice or
     * not at all.
     */
    JobCounts counts(Instant now) {
        return transactions.own(DOING, () -> count(now.toEpochMilli()));
    }

    private JobCounts count(long now) {
        List<Integer> partitions = reads.query(DOING, partitionsInUse, Parameters.none(), row -> row.getInt(1));
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        Set<JobState> atLeast = EnumSet.noneOf(JobState.class);
        Map<JobState, Long> estimates = estimates();
        long soon = now + JobPlan.LONGEST_CLAIM_LEAD.toMillis();
        if (addUnfinished(byState, partitions, new Range(Long.MIN_VALUE, now, JobCounts.CAP), now)) {
            atLeast.addAll(Set.of(JobState.READY, JobState.AWAITING, JobState.RUNNING));
        }
        if (addUnfinished(byState, partitions, new Range(now, soon, JobCounts.CAP), now)) {
            atLeast.addAll(Set.of(JobState.DELAYED, JobState.AWAITING, JobState.RUNNING));
        }
        // The estimate includes all unfinished jobs. So it says nothing about this state while other states are not
        // counted.
        long limit = atLeast.isEmpty() ? limit(estimates, JobState.DELAYED) : JobCounts.CAP;
        long awaitingSoon = byState.getOrDefault(JobState.AWAITING, 0L);
        if (addUnfinished(byState, partitions, new Range(soon, Long.MAX_VALUE, limit), now)) {
            atLeast.add(JobState.DELAYED);
            if (countAwaiting == null || countAwaiting(byState, partitions, soon, awaitingSoon)) {
                atLeast.add(JobState.AWAITING);
            }
        }
        for (JobState state : JobState.values()) {
            if (state.isEnded() && addEnded(byState, state, limit(estimates, state))) {
                atLeast.add(state);
            }
        }
        Set<JobState> about = addEstimates(byState, atLeast, estimates);
        atLeast.removeAll(about);
        return new JobCounts(byState, atLeast, about, oldestDue(partitions, now), bytes());
    }

    private @Nullable Long bytes() {
        return size == null
                ? null
                : reads.query(DOING, size, Parameters.none(), row -> row.getLong(1))
                        .get(0);
    }

    private static long limit(Map<JobState, Long> estimates, JobState state) {
        return estimates.getOrDefault(state, 0L) >= 2 * JobCounts.CAP ? SAMPLE : JobCounts.CAP;
    }

    /**
     * Counts the jobs that await an answer in their own index. Returns whether there may be more.
     *
     * @param soon the deadline up to which jobs have been counted; jobs with later deadlines cannot be claimed yet
     * @param awaitingSoon number of jobs up to that deadline
     */
    private boolean countAwaiting(
            Map<JobState, Long> byState, Collection<Integer> partitions, long soon, long awaitingSoon) {
        long left = JobCounts.CAP;
        for (int partition : partitions) {
            Parameters parameters = Parameters.none()
                    .set("partition", partition)
                    .set("fromTime", soon + 1)
                    .set("untilTime", Long.MAX_VALUE)
                    .set("lookAt", left);
            left -= reads.query(DOING, Objects.requireNonNull(countAwaiting), parameters, row -> row.getLong(1))
                    .get(0);
        }
        byState.put(JobState.AWAITING, awaitingSoon + JobCounts.CAP - left);
        return left == 0;
    }

    /** Returns the estimates of the database, in which {@link JobState#DELAYED} stands for all unfinished jobs. */
    private Map<JobState, Long> estimates() {
        Map<JobState, Long> estimates = new EnumMap<>(JobState.class);
        if (estimate == null) {
            return estimates;
        }
        reads.query(
                        DOING,
                        estimate,
                        Parameters.none(),
                        row -> new Count(StoredState.stateOf(row.getInt(1)), row.getLong(2)))
                .forEach(count -> estimates.put(count.state, count.jobs));
        return estimates;
    }

    /** Replaces lower bounds by estimates that are higher. Returns the states that it changed. */
    private static Set<JobState> addEstimates(
            Map<JobState, Long> byState, Set<JobState> atLeast, Map<JobState, Long> estimates) {
        // The database estimates only the sum of unfinished jobs, so all other unfinished states must have been
        // counted.
        estimates.computeIfPresent(
                JobState.DELAYED,
                (delayed, sum) -> atLeast.contains(JobState.READY) || atLeast.contains(JobState.RUNNING)
                        ? null
                        : sum
                                - byState.getOrDefault(JobState.READY, 0L)
                                - byState.getOrDefault(JobState.RUNNING, 0L)
                                - awaiting(byState, atLeast, estimates));
        Set<JobState> about = EnumSet.noneOf(JobState.class);
        // PostgreSQL returns a negative estimate before it has analysed the table for the first time.
        estimates.forEach((state, jobs) -> {
            if (atLeast.contains(state) && jobs > byState.getOrDefault(state, 0L)) {
                byState.put(state, jobs);
                about.add(state);
            }
        });
        return about;
    }

    private static long awaiting(Map<JobState, Long> byState, Set<JobState> atLeast, Map<JobState, Long> estimates) {
        long counted = byState.getOrDefault(JobState.AWAITING, 0L);
        return atLeast.contains(JobState.AWAITING)
                ? Math.max(counted, estimates.getOrDefault(JobState.AWAITING, 0L))
                : counted;
    }

    /** Adds counts of unfinished jobs. Returns whether there may be more. */
    private boolean addUnfinished(Map<JobState, Long> byState, Collection<Integer> partitions, Range range, long now) {
        long left = range.limit;
        for (Parameters page : pages(partitions)) {
            page.set("from", range.from)
                    .set("until", range.until)
                    .set("now", now)
                    .set("limit", left);
            List<Count> counts = reads.query(DOING, countUnfinished, page, row -> {
                JobState stored = StoredState.stateOf(row.getInt(1));
                boolean ready = stored == JobState.DELAYED && row.getBoolean(2);
                return new Count(ready ? JobState.READY : stored, row.getLong(3));
            });
            for (Count count : counts) {
                byState.merge(count.state, count.jobs, Long::sum);
                left -= count.jobs;
            }
            if (left == 0) {
                return true;
            }
        }
        return false;
    }

    /** Adds the count of ended jobs in a state. Returns whether there may be more. */
    private boolean addEnded(Map<JobState, Long> byState, JobState state, long limit) {
        Parameters parameters =
                Parameters.none().set("state", StoredState.codeOf(state)).set("limit", limit);
        long jobs = reads.query(DOING, countEnded, parameters, row -> row.getLong(1))
                .get(0);
        byState.put(state, jobs);
        return jobs == limit;
    }

    private @Nullable Instant oldestDue(Collection<Integer> partitions, long now) {
        List<Long> earliest = new ArrayList<>();
        for (Parameters page : pages(partitions)) {
            page.set("until", now).set("limit", 1);
            earliest.addAll(reads.query(DOING, earliestWaiting, page, row -> row.getLong(4)));
        }
        return earliest.isEmpty() ? null : Instant.ofEpochMilli(Collections.min(earliest));
    }

    /** Returns the parameters of each statement to run. All of them start at the beginning of their partitions. */
    private List<Parameters> pages(Collection<Integer> partitions) {
        if (oneByOne) {
            return partitions.stream()
                    .map(partition -> Parameters.none()
                            .set("partition", partition)
                            .set("due", Long.MIN_VALUE)
                            .set("id", JobReader.BEFORE_ALL))
                    .toList();
        }
        return partitions.isEmpty()
                ? List.of()
                : List.of(Parameters.none()
                        .ints("partition", partitions, partition -> partition)
                        .longs("due", partitions, partition -> Long.MIN_VALUE)
                        .uuids("id", partitions, partition -> JobReader.BEFORE_ALL));
    }
}
