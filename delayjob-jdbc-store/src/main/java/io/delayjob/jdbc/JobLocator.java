package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds unfinished and ended jobs by id. Thread-safe. */
final class JobLocator {

    record Located(
            JobId id,
            long token,
            JobState state,
            boolean cancelRequested,
            int run,
            int attempt,
            int rescues,
            boolean awaiting) {

        Scheduled kept() {
            boolean awaitsAnswer = awaiting && state == JobState.DELAYED;
            return new Scheduled(id, Scheduled.Outcome.KEPT, awaitsAnswer ? JobState.AWAITING : state);
        }
    }

    private final Database database;
    private final Sql locate;
    private final Sql locateEnded;

    JobLocator(Database database) {
        this.database = database;
        this.locate = database.sql(database.dialect().ends().locate());
        this.locateEnded = database.sql(database.dialect().ends().locateEnded());
    }

    /** Finds only rows that the current transaction sees. */
    <T> Map<JobId, Located> find(Collection<T> jobs, Function<T, JobId> id) {
        Map<JobId, Located> found = new HashMap<>();
        rows(locate, jobs, id).forEach(row -> found.put(row.id(), row));
        return found;
    }

    Optional<Located> find(JobId id) {
        return first(locate, id);
    }

    Optional<Located> findEnded(JobId id) {
        return first(locateEnded, id);
    }

    private Optional<Located> first(Sql locating, JobId id) {
        return rows(locating, List.of(id), Function.identity()).stream().findFirst();
    }

    private <T> List<Located> rows(Sql locating, Collection<T> jobs, Function<T, JobId> id) {
        Parameters ids =
                Parameters.none().uuids("id", jobs, job -> id.apply(job).value());
        return database.query(
                locating,
                ids,
                row -> new Located(
                        JobRows.id(row),
                        row.getLong(2),
                        StoredState.stateOf(row.getInt(3)),
                        row.getBoolean(4),
                        row.getInt(5),
                        row.getInt(6),
                        row.getInt(7),
                        row.getBoolean(8)));
    }
}
