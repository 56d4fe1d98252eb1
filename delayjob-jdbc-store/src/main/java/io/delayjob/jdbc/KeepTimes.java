package io.delayjob.jdbc;

import java.util.ArrayList;
import java.util.List;

/** Reads the different times for which handlers keep their finished jobs. Thread-safe. */
final class KeepTimes {

    /** The value for jobs whose handler states no retention time. */
    static final int GENERAL = 0;

    private final Database database;
    private final Sql next;

    KeepTimes(Database database) {
        this.database = database;
        this.next = database.sql(database.dialect().reads().alongTheIndex()
                + database.dialect().reads().nextKeepSeconds());
    }

    /** In seconds, without {@link #GENERAL}. */
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
