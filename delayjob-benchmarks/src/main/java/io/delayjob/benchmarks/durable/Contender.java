package io.delayjob.benchmarks.durable;

import io.delayjob.jdbc.dialect.Dialect;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Represents a scheduler of durable jobs, with the settings that its documentation recommends for throughput.
 * Implementations have no state.
 */
interface Contender {

    /** Receives the starts and ends of the jobs of the contender's only handler. Thread-safe. */
    interface Work {

        Work NONE = new Work() {

            @Override
            public void run(Instant due) {}

            @Override
            public void ended() {}
        };

        /** Is called when a job starts. */
        void run(Instant due) throws InterruptedException;

        /** Is called when a job's end is durable. */
        void ended();
    }

    /**
     * Represents one instance of a contender. A new instance is not started yet, but jobs can already be scheduled.
     */
    interface Instance extends AutoCloseable {

        void start();

        void schedule(Instant due);

        /** Schedules many jobs in one call; each job is due at its own time. The time of this call is not measured. */
        void scheduleAll(List<Instant> due);

        /**
         * Schedules many jobs that are due at the same time. To do this, the contender uses the method that its users
         * would call for many jobs. The time of this call is measured.
         */
        default void scheduleBulk(int count, Instant due) {
            scheduleAll(Collections.nCopies(count, due));
        }

        @Override
        void close();
    }

    /**
     * Returns the SQL that creates the contender's tables in an empty schema. The text is empty if the contender itself
     * creates its tables when an instance is opened.
     */
    String tables(Dialect dialect);

    /** @param number the number of the instance, counted from 1, which makes its name unique */
    Instance open(DataSource dataSource, Work work, int number);

    /**
     * Returns a query that finds a row as long as there is a due job that has not ended durably. The query uses an
     * index. So it reads only due rows, and no rows of the far future.
     */
    String unfinished();

    /** Matches the names, in SQL, of the tables that contain the contender's unfinished jobs. */
    Pattern jobTables();

    /**
     * Tells whether this contender can wait until jobs are due. If not, the contender only works off jobs that are
     * already due.
     */
    default boolean waits() {
        return true;
    }

    /** Returns the longest pause between two polls for due jobs; zero if the contender does not poll. */
    default Duration poll() {
        return Duration.ZERO;
    }

    /**
     * Returns how long {@link Instance#scheduleAll} may take to write this number of jobs. Some contenders need a long
     * time for this.
     */
    default Duration timeToWrite(int jobs) {
        return Duration.ZERO;
    }

    String configuration();

    /** Without names, returns all contenders. */
    static Map<String, Contender> named(Set<String> names) {
        Map<String, Contender> all = new TreeMap<>(Map.of(
                "delayjob",
                new DelayJobContender(true),
                "delayjob-without-history",
                new DelayJobContender(false),
                "db-scheduler-fetch",
                new DbSchedulerContender(false),
                "db-scheduler-lock-and-fetch",
                new DbSchedulerContender(true),
                "jobrunr",
                new JobRunrContender(),
                "plain-sql",
                new PlainSqlContender(),
                "quartz",
                new QuartzContender()));
        if (!all.keySet().containsAll(names)) {
            throw new IllegalArgumentException(
                    "Invalid contenders %s: must be some of %s.".formatted(names, all.keySet()));
        }
        if (!names.isEmpty()) {
            all.keySet().retainAll(names);
        }
        return all;
    }
}
