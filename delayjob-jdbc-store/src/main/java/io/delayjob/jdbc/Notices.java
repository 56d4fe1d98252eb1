package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.RegisterSql;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.store.DueSink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads and writes notices to instances. A notice contains the name of a paused handler or queue, or the id of a
 * running job to cancel. Thread-safe.
 */
final class Notices {

    /** The numbers of the kinds begin with 1, because a statement also reads instances, and marks them with 0. */
    private static final int HANDLER_PAUSED = 1;

    private static final int QUEUE_PAUSED = 2;

    private static final int CANCEL_REQUESTED = 3;

    private static final long FOR_ALL = 0;

    /** Maximum number of cancellations that one call reads. A higher number could delay a heartbeat. */
    static final int MOST_CANCELLATIONS = 5_000;

    record Notice(int kind, String name) {}

    private final Transactions transactions;
    private final Database database;
    private final Sql find;
    private final Sql insert;
    private final Sql delete;
    private final Sql list;
    private final Sql listPauses;

    Notices(Transactions transactions, Database database) {
        RegisterSql sql = database.dialect().register();
        this.transactions = transactions;
        this.database = database;
        this.find = database.sql(sql.findNotice());
        this.insert = database.sql(sql.insertNotice());
        this.delete = database.sql(sql.deleteNotice());
        this.list = database.sql(sql.listNotices());
        this.listPauses = database.sql(sql.listPauses());
    }

    boolean pause(Paused what, PauseNote note, Runnable committed) {
        return changed(
                "pausing",
                what,
                committed,
                notice -> database.update(insert, noted(parameters(notice, FOR_ALL), note)));
    }

    boolean resume(Paused what, Runnable committed) {
        return changed("resuming", what, committed, notice -> database.update(delete, parameters(notice, FOR_ALL)));
    }

    private boolean changed(String doing, Paused what, Runnable committed, ToIntFunction<Notice> change) {
        return transactions.callers("%s %s".formatted(doing, what), DueSink.NONE, run -> {
            run.afterCommit(committed);
            return pauses(what).stream().mapToInt(change).sum() > 0;
        });
    }

    /** Returns the notices in a fixed order, so that two transactions never wait for each other. */
    private static List<Notice> pauses(Paused what) {
        return Stream.concat(
                        what.handlers().stream().map(name -> new Notice(HANDLER_PAUSED, name)),
                        what.queues().stream().map(name -> new Notice(QUEUE_PAUSED, name)))
                .toList();
    }

    /**
     * Writes no second notice, because the insert would lock the existing notice until the caller's commit. Until then,
     * an instance that wants to delete the notice would send no heartbeat.
     *
     * @param running the running job, as it was before this call
     */
    void requestCancel(Job running, Instant now) {
        Parameters notice = parameters(new Notice(CANCEL_REQUESTED, running.id().toString()), running.owner());
        if (!running.cancelRequested() || !isThere(notice)) {
            database.update(insert, noted(notice, new PauseNote(now, null, null)));
        }
    }

    private static Parameters noted(Parameters notice, PauseNote note) {
        return notice.set("now", note.since().toEpochMilli())
                .set("by", note.by())
                .set("reason", note.reason());
    }

    private boolean isThere(Parameters notice) {
        return !database.query(find, notice, row -> read(row, 2, 1)).isEmpty();
    }

    /** Sorts the names in the order of the primary key. */
    static Parameters ofCancellations(Collection<JobId> jobs, long owner) {
        return Parameters.none()
                .set("kind", CANCEL_REQUESTED)
                .names("name", jobs.stream().map(JobId::toString).sorted().toList())
                .set("owner", owner);
    }

    private static Parameters parameters(Notice notice, long owner) {
        return Parameters.none()
                .set("kind", notice.kind())
                .set("name", notice.name())
                .set("owner", owner);
    }

    Paused paused() {
        return transactions.reading(
                "reading the pauses", () -> paused(database.query(list, Parameters.none(), row -> read(row, 1, 2))));
    }

    List<PausedName> pauses() {
        return transactions.reading(
                "reading the pauses",
                () -> database.query(
                        listPauses,
                        Parameters.none(),
                        row -> new PausedName(
                                row.getInt(2) == QUEUE_PAUSED ? PausedName.Kind.QUEUE : PausedName.Kind.HANDLER,
                                row.getString(1),
                                new PauseNote(
                                        Instant.ofEpochMilli(row.getLong(3)), row.getString(4), row.getString(5)))));
    }

    static Notice read(ResultSet row, int nameColumn, int kindColumn) throws SQLException {
        return new Notice(row.getInt(kindColumn), row.getString(nameColumn));
    }

    static Paused paused(List<Notice> notices) {
        return new Paused(names(notices, HANDLER_PAUSED), names(notices, QUEUE_PAUSED));
    }

    static Set<JobId> cancelRequested(List<Notice> notices) {
        return names(notices, CANCEL_REQUESTED).stream().map(JobId::parse).collect(Collectors.toSet());
    }

    private static Set<String> names(List<Notice> notices, int kind) {
        return notices.stream()
                .filter(notice -> notice.kind() == kind)
                .map(Notice::name)
                .collect(Collectors.toSet());
    }
}
