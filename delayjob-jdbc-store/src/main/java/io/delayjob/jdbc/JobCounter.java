package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.PageSql;
import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.time.EngineClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts jobs for display, in steps, up to {@link JobCounts#CAP} of each kind. After the {@linkplain ReadingTime time
 * limit}, no further step begins. Thread-safe.
 */
final class JobCounter {

    /** Number of rows in one statement. */
    static final int STEP = 250;

    private static final long SAMPLE = JobCounts.CAP / 10;

    private static final int GROWTH = 4;

    private static final String DOING = "counting jobs";

    private record Estimate(JobState state, long jobs) {}

    private record Seen(JobState state, Place place) {}

    private record Place(int partition, long due, UUID id) {}

    private final Transactions transactions;
    private final EngineClock clock;
    private final boolean oneByOne;
    private final PeoplesReads reads;
    private final Sql partitionsInUse;
    private final Sql nextUnfinished;
    private final Sql earliestWaiting;
    private final Sql countEnded;

    /** {@code null} if the database has no index for jobs that await an answer. */
    private final @Nullable Sql countAwaiting;

    private final @Nullable Sql estimate;
    private final @Nullable Sql size;

    JobCounter(Transactions transactions, Database database, EngineClock clock) {
        PageSql pages = database.dialect().pages();
        ReadSql reads = database.dialect().reads();
        this.transactions = transactions;
        this.clock = clock;
        this.oneByOne = pages.looksThroughOnePartition();
        this.reads = new PeoplesReads(database);
        this.partitionsInUse = database.keptSql(reads.alongTheIndex() + pages.partitionsInUse());
        this.nextUnfinished = database.sql(reads.alongTheIndex() + reads.nextUnfinished());
        this.earliestWaiting = database.keptSql(pages.dueAfter());
        this.countEnded = database.sql(reads.alongTheIndex() + reads.countEnded());
        String awaiting = reads.awaiting();
        this.countAwaiting = awaiting == null ? null : database.sql(reads.alongTheIndex() + reads.countSpan(awaiting));
        String estimates = reads.estimateJobs();
        this.estimate = estimates == null ? null : database.sql(estimates);
        String sizes = reads.sizeOfTables();
        this.size = sizes == null ? null : database.sql(sizes);
    }

    /** If a job changes its state between two statements, it may be counted twice or not at all. */
    JobCounts counts(Instant now) {
        return transactions.own(DOING, () -> new Count(now.toEpochMilli()).counted());
    }

    private final class Count {

        private final ReadingTime time = new ReadingTime(clock);
        private final long now;
        private final List<Integer> partitions;
        private final Map<JobState, Long> estimates;
        private final Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        private final Set<JobState> atLeast = EnumSet.noneOf(JobState.class);

        Count(long now) {
            this.now = now;
            this.partitions = reads.query(DOING, partitionsInUse, Parameters.none(), row -> row.getInt(1)).stream()
                    .sorted()
                    .toList();
            this.estimates = estimates();
        }

        JobCounts counted() {
            long soon = now + JobPlan.LONGEST_CLAIM_LEAD.toMillis();
            if (addUnfinished(Long.MIN_VALUE, now, JobCounts.CAP)) {
                atLeast.addAll(Set.of(JobState.READY, JobState.AWAITING, JobState.RUNNING));
            }
            if (addUnfinished(now, soon, JobCounts.CAP)) {
                atLeast.addAll(Set.of(JobState.DELAYED, JobState.AWAITING, JobState.RUNNING));
            }
            // The estimate includes the other unfinished states, so it is useless before they are fully counted.
            long limit = atLeast.isEmpty() ? limit(JobState.DELAYED) : JobCounts.CAP;
            long awaitingSoon = byState.getOrDefault(JobState.AWAITING, 0L);
            if (addUnfinished(soon, Long.MAX_VALUE, limit)) {
                atLeast.add(JobState.DELAYED);
                if (countAwaiting == null || countAwaiting(soon, awaitingSoon)) {
                    atLeast.add(JobState.AWAITING);
                }
            }
            for (JobState state : JobState.values()) {
                if (state.isEnded() && addEnded(state)) {
                    atLeast.add(state);
                }
            }
            Set<JobState> about = addEstimates();
            atLeast.removeAll(about);
            return new JobCounts(byState, atLeast, about, oldestDue(), bytes());
        }

        private long limit(JobState state) {
            return estimates.getOrDefault(state, 0L) >= 2 * JobCounts.CAP ? SAMPLE : JobCounts.CAP;
        }

        /** Returns whether there may be more jobs. */
        private boolean addUnfinished(long from, long until, long limit) {
            List<Place> places = partitions.stream()
                    .map(partition -> new Place(partition, from, JobReader.AFTER_ALL))
                    .toList();
            long jobs = 0;
            while (!places.isEmpty()) {
                long left = (time.isOver() ? STEP : limit) - jobs;
                if (left <= 0) {
                    return true;
                }
                int step = (int) Math.min(STEP, left);
                Parameters next = oneByOne ? at(places.get(0)) : at(places);
                List<Seen> seen = reads.query(
                        DOING, nextUnfinished, next.set("until", until).set("limit", step), JobCounter::seen);
                seen.forEach(job -> byState.merge(stateOf(job), 1L, Long::sum));
                jobs += seen.size();
                places = seen.size() == step
                        ? behind(seen.get(step - 1).place, places)
                        : places.subList(oneByOne ? 1 : places.size(), places.size());
            }
            return false;
        }

        private JobState stateOf(Seen job) {
            return job.state == JobState.DELAYED && job.place.due <= now ? JobState.READY : job.state;
        }

        /**
         * @param soon time: if a job awaits an answer and its deadline is not after this time, the job is counted
         *     already
         * @param awaitingSoon number of jobs that await an answer and are counted already
         */
        private boolean countAwaiting(long soon, long awaitingSoon) {
            return add(JobState.AWAITING, awaitingSoon, limit -> awaitingLater(soon, limit));
        }

        private long awaitingLater(long soon, long limit) {
            long left = limit;
            for (int partition : partitions) {
                Parameters parameters = Parameters.none()
                        .set("partition", partition)
                        .set("fromTime", soon + 1)
                        .set("untilTime", Long.MAX_VALUE)
                        .set("lookAt", left);
                left -= number(Objects.requireNonNull(countAwaiting), parameters);
            }
            return limit - left;
        }

        private boolean addEnded(JobState state) {
            int code = StoredState.codeOf(state);
            return add(
                    state,
                    0,
                    limit -> number(
                            countEnded, Parameters.none().set("state", code).set("limit", limit)));
        }

        /**
         * Returns whether there may be more jobs.
         *
         * @param counted number of jobs that are known already
         * @param upTo counts further jobs, up to the limit in its argument
         */
        private boolean add(JobState state, long counted, LongUnaryOperator upTo) {
            long highest = limit(state);
            long limit = STEP;
            long jobs = upTo.applyAsLong(limit);
            while (jobs == limit && limit < highest && !time.isOver()) {
                limit = Math.min(highest, limit * GROWTH);
                jobs = upTo.applyAsLong(limit);
            }
            byState.put(state, counted + jobs);
            return jobs == limit;
        }

        /** Replaces counts by estimates, and returns the states that have an estimate. */
        private Set<JobState> addEstimates() {
            estimates.computeIfPresent(
                    JobState.DELAYED,
                    (delayed, sum) -> atLeast.contains(JobState.READY) || atLeast.contains(JobState.RUNNING)
                            ? null
                            : sum
                                    - byState.getOrDefault(JobState.READY, 0L)
                                    - byState.getOrDefault(JobState.RUNNING, 0L)
                                    - awaiting());
            Set<JobState> about = EnumSet.noneOf(JobState.class);
            // Before PostgreSQL has analysed the table, the estimate is negative.
            estimates.forEach((state, jobs) -> {
                if (atLeast.contains(state) && jobs > byState.getOrDefault(state, 0L)) {
                    byState.put(state, jobs);
                    about.add(state);
                }
            });
            return about;
        }

        private long awaiting() {
            long counted = byState.getOrDefault(JobState.AWAITING, 0L);
            return atLeast.contains(JobState.AWAITING)
                    ? Math.max(counted, estimates.getOrDefault(JobState.AWAITING, 0L))
                    : counted;
        }

        private @Nullable Instant oldestDue() {
            List<Place> places = partitions.stream()
                    .map(partition -> new Place(partition, Long.MIN_VALUE, JobReader.BEFORE_ALL))
                    .toList();
            List<Parameters> pages = oneByOne
                    ? places.stream().map(JobCounter::at).toList()
                    : places.isEmpty() ? List.of() : List.of(at(places));
            List<Long> earliest = new ArrayList<>();
            for (Parameters page : pages) {
                page.set("until", now).set("limit", 1);
                earliest.addAll(reads.query(DOING, earliestWaiting, page, row -> row.getLong(4)));
            }
            return earliest.isEmpty() ? null : Instant.ofEpochMilli(Collections.min(earliest));
        }
    }

    /** The estimate for {@link JobState#DELAYED} is the number of all unfinished jobs. */
    private Map<JobState, Long> estimates() {
        Map<JobState, Long> estimates = new EnumMap<>(JobState.class);
        if (estimate == null) {
            return estimates;
        }
        reads.query(
                        DOING,
                        estimate,
                        Parameters.none(),
                        row -> new Estimate(StoredState.stateOf(row.getInt(1)), row.getLong(2)))
                .forEach(each -> estimates.put(each.state, each.jobs));
        return estimates;
    }

    private @Nullable Long bytes() {
        return size == null ? null : number(size, Parameters.none());
    }

    private long number(Sql sql, Parameters parameters) {
        return reads.query(DOING, sql, parameters, row -> row.getLong(1)).get(0);
    }

    private static Seen seen(ResultSet row) throws SQLException {
        return new Seen(
                StoredState.stateOf(row.getInt(1)), new Place(row.getInt(2), row.getLong(3), Database.uuid(row, 4)));
    }

    private static List<Place> behind(Place last, List<Place> places) {
        List<Place> left = new ArrayList<>(List.of(last));
        places.stream().filter(place -> place.partition > last.partition).forEach(left::add);
        return left;
    }

    private static Parameters at(Place place) {
        return Parameters.none()
                .set("partition", place.partition)
                .set("due", place.due)
                .set("id", place.id);
    }

    private static Parameters at(List<Place> places) {
        return Parameters.none()
                .ints("partition", places, Place::partition)
                .longs("due", places, Place::due)
                .uuids("id", places, Place::id);
    }
}
