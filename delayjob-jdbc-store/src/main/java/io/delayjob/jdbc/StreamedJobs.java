package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.BulkWriter;
import io.delayjob.job.NewJob;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes many new jobs without keys as one stream, if the dialect has a {@link BulkWriter}. Thread-safe. */
final class StreamedJobs {

    /**
     * Number of columns that have a value for every job: the id, partition, name and token, and three columns for
     * times.
     */
    private static final int USUAL_COLUMNS = 7;

    private record Text(String column, Function<NewJob, @Nullable String> of) {}

    private static final List<Text> TEXTS = List.of(
            new Text("payload", NewJob::payload),
            new Text("schedule", NewJob::schedule),
            new Text("retry", NewJob::retry),
            new Text("trace", NewJob::trace),
            new Text("extras", NewJob::extras));

    private final Database database;
    private final Queues queues;
    private final BulkWriter writer;
    private final Sql begin;
    private final String insert;
    private final Sql end;

    StreamedJobs(Database database, Queues queues, BulkWriter writer) {
        this.database = database;
        this.queues = queues;
        this.writer = writer;
        this.begin = database.keptSql(writer.begin());
        this.insert = database.filled(writer.insert());
        this.end = database.keptSql(writer.end());
    }

    /**
     * Writes all jobs, or none if the method throws an exception. Needs a transaction.
     *
     * @return {@code false} if nothing was written, because this connection or table accepts no stream
     */
    boolean wrote(List<NewJob> jobs) {
        // Checked before the stream, because a refused text would end the caller's transaction.
        List<Text> texts = TEXTS.stream().filter(text -> isAnyThere(text, jobs)).toList();
        jobs.forEach(job -> Parameters.wellFormed("name", job.name()));
        return wrote(jobs, texts, (job, rows) -> write(job, texts, rows));
    }

    private static boolean isAnyThere(Text text, List<NewJob> jobs) {
        boolean any = false;
        for (NewJob job : jobs) {
            any |= Parameters.wellFormed(text.column, text.of.apply(job)) != null;
        }
        return any;
    }

    private boolean wrote(List<NewJob> jobs, List<Text> texts, BulkWriter.RowWriter<NewJob> row) {
        if (!database.onConnection(writer::isPossible)) {
            return false;
        }
        List<String> limit = limitTime();
        if (limit.isEmpty()) {
            return false;
        }
        String statement =
                insert.formatted(texts.stream().map(text -> ", " + text.column).collect(Collectors.joining()));
        database.onConnection(connection -> {
            writer.write(connection, statement, jobs, row);
            return true;
        });
        database.query(end, Parameters.none().set("before", limit.get(0)), answer -> answer.getString(1));
        return true;
    }

    /**
     * Limits the time of the stream in the database, because no driver has a timeout for a stream. Returns the previous
     * limit; empty if the table accepts no stream.
     */
    private List<String> limitTime() {
        return database.execute(begin, statement -> {
            Parameters timeout = Parameters.none().set("timeout", statement.getQueryTimeout() + "s");
            return Database.query(statement, begin, timeout, row -> row.getString(1));
        });
    }

    /** The columns are in the order of {@link BulkWriter#insert()}. */
    private void write(NewJob job, List<Text> texts, BulkWriter.Rows rows) throws SQLException {
        rows.row(USUAL_COLUMNS + texts.size())
                .uuid(job.id().value())
                .integer(queues.idOf(job.partition()))
                .text(job.name())
                .bigint(job.token())
                .bigint(job.scheduledAt().toEpochMilli())
                .bigint(job.plannedAt().toEpochMilli())
                .bigint(job.dueAt().toEpochMilli());
        for (Text text : texts) {
            rows.text(text.of.apply(job));
        }
    }
}
