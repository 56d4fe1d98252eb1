package io.delayjob.jdbc;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the attempt log, in the transaction that writes the outcomes. Thread-safe. */
final class AttemptRows {

    /** Approximate maximum number of lines in the attempt log of one job. */
    static final int LINES_KEPT = 100;

    /**
     * Number of a job's attempts between two deletions of its old lines. A deletion after each attempt would cost more
     * than the additional lines.
     */
    static final int PRUNED_EVERY = 32;

    private final Database database;
    private final Sql insert;
    private final Sql prune;

    private AttemptRows(Database database, Function<String, Sql> parsed) {
        this.database = database;
        this.insert = parsed.apply(database.dialect().ends().insertAttempts());
        this.prune = parsed.apply(database.dialect().ends().pruneAttempts());
    }

    static AttemptRows inAny(Database database) {
        return new AttemptRows(database, database::sql);
    }

    /**
     * Returns an object for the store's own transactions. In these transactions, earlier statements have already
     * applied the settings.
     */
    static AttemptRows inOwn(Database database) {
        return new AttemptRows(database, database::keptSql);
    }

    /** Before this call, the caller must change the rows of the jobs. */
    void write(List<Completion> completions) {
        List<AttemptRecord> lines = new ArrayList<>(0);
        completions.forEach(completion -> lines.addAll(completion.log()));
        if (lines.isEmpty()) {
            return;
        }
        database.update(
                insert,
                Parameters.none()
                        .uuids("id", lines, line -> line.job().value())
                        .ints("run", lines, AttemptRecord::run)
                        .ints("attempt", lines, AttemptRecord::attempt)
                        .texts("outcome", lines, AttemptRecord::outcome)
                        .longs("owner", lines, AttemptRecord::owner)
                        .longs("dueAt", lines, line -> millis(line.dueAt()))
                        .longs("startedAt", lines, line -> millis(line.startedAt()))
                        .longs("calledAt", lines, line -> millis(line.calledAt()))
                        .longs("endedAt", lines, line -> millis(line.endedAt()))
                        .texts("failureType", lines, line -> text(line, Failure::type))
                        .texts("failureMessage", lines, line -> text(line, Failure::message))
                        .texts("failureTrace", lines, line -> text(line, Failure::stackTrace)));
        prune(completions.stream()
                .filter(completion -> completion.next() instanceof Transition.Again)
                .map(Completion::job)
                .filter(AttemptRows::isToBePruned)
                .toList());
    }

    private static boolean isToBePruned(Job job) {
        return job.attempt() > LINES_KEPT && job.attempt() % PRUNED_EVERY == 0;
    }

    private void prune(List<Job> jobs) {
        if (!jobs.isEmpty()) {
            database.update(
                    prune,
                    Parameters.none().uuids("id", jobs, job -> job.id().value()).set("keep", LINES_KEPT));
        }
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }

    private static @Nullable String text(AttemptRecord line, Function<Failure, @Nullable String> part) {
        return line.failure() == null ? null : part.apply(line.failure());
    }
}
