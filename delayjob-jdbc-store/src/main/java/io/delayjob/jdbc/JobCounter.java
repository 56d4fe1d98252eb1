package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts jobs for people, up to {@link JobCounts#CAP} of a kind: it looks at a bounded number of index entries, however
 * many jobs there are. Thread-safe.
 */
final class JobCounter {

    /** No job is claimed further ahead of its time, so jobs due later than this wait. */
    private static final Duration LONGEST_CLAIM_LEAD = Duration.ofSeconds(1);

    private static final String DOING = "counting jobs";

    /** A count of unfinished jobs: rows of one state, due or not. */
    private record Count(JobState state, long jobs) {}

    private final Transactions transactions;
    private final boolean oneByOne;
    private final PeoplesReads reads;
    private final Sql partitionsInUse;
    private final Sql countUnfinished;
    private final Sql earliestWaiting;
    private final Sql countEnded;

    JobCounter(Transactions transactions, Database database) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.oneByOne = dialect.looksThroughOnePartition();
        this.reads = new PeoplesReads(database);
        this.partitionsInUse = database.keptSql(dialect.partitionsInUse());
        this.countUnfinished = database.sql(dialect.alongTheIndex() + dialect.countUnfinished());
        this.earliestWaiting = database.keptSql(dialect.dueAfter());
        this.countEnded = database.sql(dialect.alongTheIndex() + dialect.countEnded());
    }

    /** In a transaction of its own, but statement by statement: a job that moves meanwhile may count twice, or not. */
    JobCounts counts(Instant now) {
        return transactions.own(DOING, () -> count(now.toEpochMilli()));
    }

    private JobCounts count(long now) {
        List<Integer> partitions = reads.query(DOING, partitionsInUse, Parameters.none(), row -> row.getInt(1));
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        Set<JobState> atLeast = EnumSet.noneOf(JobState.class);
        long soon = now + LONGEST_CLAIM_LEAD.toMillis();
        if (addUnfinished(byState, partitions, Long.MIN_VALUE, now, now)) {
            atLeast.addAll(Set.of(JobState.READY, JobState.RUNNING));
        }
        if (addUnfinished(byState, partitions, now, soon, now)) {
            atLeast.addAll(Set.of(JobState.DELAYED, JobState.RUNNING));
        }
        if (addUnfinished(byState, partitions, soon, Long.MAX_VALUE, now)) {
            atLeast.add(JobState.DELAYED);
        }
        for (JobState state : JobState.values()) {
            if (state.isEnded() && addEnded(byState, state)) {
                atLeast.add(state);
            }
        }
        return new JobCounts(byState, atLeast, oldestDue(partitions, now));
    }

    /** Whether there may be more. */
    private boolean addUnfinished(
            Map<JobState, Long> byState, Collection<Integer> partitions, long from, long until, long now) {
        long left = JobCounts.CAP;
        for (Parameters page : pages(partitions)) {
            page.set("from", from).set("until", until).set("now", now).set("limit", left);
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

    /** Whether there may be more. */
    private boolean addEnded(Map<JobState, Long> byState, JobState state) {
        Parameters parameters =
                Parameters.none().set("state", StoredState.codeOf(state)).set("limit", JobCounts.CAP);
        long jobs = reads.query(DOING, countEnded, parameters, row -> row.getLong(1))
                .get(0);
        byState.put(state, jobs);
        return jobs == JobCounts.CAP;
    }

    private @Nullable Instant oldestDue(Collection<Integer> partitions, long now) {
        List<Long> earliest = new ArrayList<>();
        for (Parameters page : pages(partitions)) {
            page.set("until", now).set("limit", 1);
            earliest.addAll(reads.query(DOING, earliestWaiting, page, row -> row.getLong(4)));
        }
        return earliest.isEmpty() ? null : Instant.ofEpochMilli(Collections.min(earliest));
    }

    /** Parameters of each statement to run, from the beginning of the partitions. */
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
