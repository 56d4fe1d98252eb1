package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.RegisterSql;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
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

/** What instances are to know, a row each: what is paused, and which running jobs are to be cancelled. Thread-safe. */
final class Notices {

    /** What a notice says of its name; 0 stands for an instance where both are read together. */
    private static final int HANDLER_PAUSED = 1;

    private static final int QUEUE_PAUSED = 2;

    private static final int CANCEL_REQUESTED = 3;

    private static final long FOR_ALL = 0;

    /**
     * How many cancellations a look reads at most, and so forgets at once: few enough not to keep the heart from
     * beating, and more than an instance usually has claimed and not begun, which stay noted and should not fill a
     * look.
     */
    static final int MOST_CANCELLATIONS = 5_000;

    /** A row of the table. */
    record Notice(int kind, String name) {}

    private final Transactions transactions;
    private final Database database;
    private final Sql find;
    private final Sql insert;
    private final Sql delete;
    private final Sql list;

    Notices(Transactions transactions, Database database) {
        RegisterSql sql = database.dialect().register();
        this.transactions = transactions;
        this.database = database;
        this.find = database.sql(sql.findNotice());
        this.insert = database.sql(sql.insertNotice());
        this.delete = database.sql(sql.deleteNotice());
        this.list = database.sql(sql.listNotices());
    }

    boolean pause(Paused what, Instant now, Runnable committed) {
        return changed(
                "pausing",
                what,
                committed,
                notice -> database.update(insert, parameters(notice, FOR_ALL).set("now", now.toEpochMilli())));
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

    /** In one order, so that two callers never wait for each other. */
    private static List<Notice> pauses(Paused what) {
        return Stream.concat(
                        what.handlers().stream().map(name -> new Notice(HANDLER_PAUSED, name)),
                        what.queues().stream().map(name -> new Notice(QUEUE_PAUSED, name)))
                .toList();
    }

    /**
     * Notes for the instance that runs this job that somebody has asked to cancel it; in the transaction at hand.
     *
     * <p>Where it was asked for before, it is looked first: to put a notice up that is there would lock it, and the
     * instance that takes it down would wait for the caller's commit before its heart beats again. A job whose key was
     * taken has been asked to end, too, but without a notice.
     *
     * @param running as it was before this request
     */
    void requestCancel(Job running, Instant now) {
        Parameters notice = parameters(new Notice(CANCEL_REQUESTED, running.id().toString()), running.owner());
        if (!running.cancelRequested() || !isThere(notice)) {
            database.update(insert, notice.set("now", now.toEpochMilli()));
        }
    }

    private boolean isThere(Parameters notice) {
        return !database.query(find, notice, row -> read(row, 2, 1)).isEmpty();
    }

    /** What takes the notices down that {@link #requestCancel} has put up; in the order of their primary key. */
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
                "reading what is paused",
                () -> paused(database.query(list, Parameters.none(), row -> read(row, 1, 2))));
    }

    /** The notice whose name and kind are in these columns. */
    static Notice read(ResultSet row, int nameColumn, int kindColumn) throws SQLException {
        return new Notice(row.getInt(kindColumn), row.getString(nameColumn));
    }

    /** What these notices pause. */
    static Paused paused(List<Notice> notices) {
        return new Paused(names(notices, HANDLER_PAUSED), names(notices, QUEUE_PAUSED));
    }

    /** The jobs that are to be cancelled. */
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
