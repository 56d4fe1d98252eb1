package io.delayjob.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * The times for which handlers keep their finished jobs. Each time that occurs in the history has its own part of the
 * index, so that jobs with longer times never lie in the way of retention. There are as many times as handlers state,
 * so one step along the index finds each of them. Thread-safe.
 */
final class KeepTimes {

    /** The part of jobs without a time of their own. */
    static final int GENERAL = 0;

    private final Database database;
    private final Sql next;

    KeepTimes(Database database) {
        this.database = database;
        this.next = database.sql(database.dialect().reads().alongTheIndex()
                + database.dialect().reads().nextKeepSeconds());
    }

    /** Returns the times of finished jobs in the history, in seconds, without {@link #GENERAL}. */
    List<Integer> find() {
        List<Integer> times = new ArrayList<>();
        List<Integer> found = above(GENERAL);
        while (!found.isEmpty()) {
            times.addAll(found);
            found = above(found.get(0));
        }
        return times;
    }

    private List<Integer> above(int seconds) {
        return database.query(next, Parameters.none().set("above", seconds), row -> row.getInt(1));
    }
}
