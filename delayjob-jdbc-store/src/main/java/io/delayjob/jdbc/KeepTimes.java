package io.delayjob.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads how long handlers keep their finished jobs. The index of the history has a separate part for each such time, so
 * retention never has to read jobs that are kept for longer. This class reads no jobs. It reads only the different
 * times, and there are few of them. To find the next time, the read needs one step along the index. Thread-safe.
 */
final class KeepTimes {

    /**
     * Stands for jobs of handlers that state no retention time. In the index, these jobs have 0 instead of a number of
     * seconds.
     */
    static final int GENERAL = 0;

    private final Database database;
    private final Sql next;

    KeepTimes(Database database) {
        this.database = database;
        this.next = database.sql(database.dialect().reads().alongTheIndex()
                + database.dialect().reads().nextKeepSeconds());
    }

    /**
     * Returns the retention times, in seconds, that handlers have stated for jobs in the history. Each time occurs
     * once, and {@link #GENERAL} is not among them.
     */
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
