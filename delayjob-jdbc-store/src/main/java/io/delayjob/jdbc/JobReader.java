package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people and applications read, within the caller's transaction if there is one. Thread-safe. */
final class JobReader {

    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private record Count(
            JobState state, long jobs, @Nullable Instant oldestDue) {}

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final Sql findJob;
    private final Sql findKey;
    private final Sql unfinishedPage;
    private final Sql endedPage;
    private final Sql mixedPage;
    private final Sql findAttempts;
    private final Sql countJobs;

    JobReader(Transactions transactions, Database database, JobRows rows) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.findJob = database.sql(dialect.findJob());
        this.findKey = database.sql(dialect.findKey());
        this.unfinishedPage = database.sql(dialect.unfinishedPage());
        this.endedPage = database.sql(dialect.endedPage());
        this.mixedPage = database.sql(dialect.mixedPage());
        this.findAttempts = database.sql(dialect.findAttempts());
        this.countJobs = database.sql(dialect.countJobs());
    }

    Optional<Job> find(JobId id) {
        Parameters parameters = Parameters.none().set("id", id.value());
        return transactions.reading(
                "looking for job " + id,
                () -> database.query(findJob, parameters, rows::any).stream().findFirst());
    }

    Optional<Job> find(String name, String key) {
        Parameters parameters = Parameters.none().set("name", name).set("key", key);
        return transactions.reading(
                "looking for job '%s' with key '%s'".formatted(name, key),
                () -> database.query(findKey, parameters, rows::any).stream().findFirst());
    }

    JobPage find(JobQuery query, Instant now) {
        JobId after = query.after();
        JobState state = query.state();
        Parameters parameters = Parameters.none()
                .set("after", after == null ? BEFORE_ALL : after.value())
                .set("state", state == null ? null : StoredState.codeOf(state))
                .set("dueFrom", state == JobState.DELAYED ? now.toEpochMilli() + 1 : Long.MIN_VALUE)
                .set("dueUntil", state == JobState.READY ? now.toEpochMilli() : Long.MAX_VALUE)
                .set("name", query.name())
                .set("key", query.key())
                // One more than the page holds tells whether there is another page.
                .set("limit", query.limit() + 1);
        List<Job> found =
                transactions.reading("looking for jobs", () -> database.query(pageOf(state), parameters, rows::any));
        if (found.size() <= query.limit()) {
            return new JobPage(found, null);
        }
        List<Job> page = found.subList(0, query.limit());
        return new JobPage(page, page.get(page.size() - 1).id());
    }

    private Sql pageOf(@Nullable JobState state) {
        if (state == null) {
            return mixedPage;
        }
        return state.isEnded() ? endedPage : unfinishedPage;
    }

    List<AttemptRecord> attempts(JobId id, int limit) {
        Parameters parameters = Parameters.none().set("id", id.value()).set("limit", limit);
        return transactions.reading(
                "reading the attempts of job " + id, () -> database.query(findAttempts, parameters, rows::attempt));
    }

    JobCounts counts(Instant now) {
        Parameters parameters = Parameters.none().set("now", now.toEpochMilli());
        List<Count> counts = transactions.reading(
                "counting jobs",
                () -> database.query(countJobs, parameters, row -> {
                    JobState stored = StoredState.stateOf(row.getInt(1));
                    boolean ready = stored == JobState.DELAYED && row.getBoolean(2);
                    Instant oldestDue = ready ? JobRows.instantOrNull(row, 4) : null;
                    return new Count(ready ? JobState.READY : stored, row.getLong(3), oldestDue);
                }));
        Map<JobState, Long> byState = new EnumMap<>(JobState.class);
        counts.forEach(count -> byState.merge(count.state(), count.jobs(), Long::sum));
        Instant oldestDue = counts.stream()
                .filter(count -> count.state() == JobState.READY)
                .map(Count::oldestDue)
                .findFirst()
                .orElse(null);
        return new JobCounts(byState, oldestDue);
    }
}
