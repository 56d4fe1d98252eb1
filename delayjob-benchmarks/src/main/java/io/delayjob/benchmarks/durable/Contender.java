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

/** A scheduler of durable jobs, set up as its documentation recommends for throughput. Stateless. */
interface Contender {

    /** The work of the contender's only handler, with callbacks that record its jobs. Thread-safe. */
    interface Work {

        /** Called when a job starts. */
        void run(Instant due) throws InterruptedException;

        /** Called when a job's end is durable. */
        void ended();
    }

    /** One instance, which is not started yet. Jobs can already be scheduled before the start. */
    interface Instance extends AutoCloseable {

        void start();

        void schedule(Instant due);

        /** Schedules many jobs at once, each due at its own time. The time for this is not measured. */
        void scheduleAll(List<Instant> due);

        /**
         * Schedules many jobs at once, due at the same time, by the method that the contender offers to its users. This
         * call is measured.
         */
        default void scheduleBulk(int count, Instant due) {
            scheduleAll(Collections.nCopies(count, due));
        }

        @Override
        void close();
    }

    /**
     * Returns the SQL that creates the contender's tables in an empty schema; empty if the contender itself creates
     * them when an instance is opened.
     */
    String tables(Dialect dialect);

    /** @param number number of the instance, from 1, which makes its name unique */
    Instance open(DataSource dataSource, Work work, int number);

    /**
     * Returns a query that finds a row as long as a due job has not ended durably. It reads due rows along an index,
     * and no rows of the far future.
     */
    String unfinished();

    /** Matches the tables that hold its unfinished jobs, by their names in SQL. */
    Pattern jobTables();

    /**
     * Tells whether this contender can wait until jobs are due. Otherwise it only works off jobs that are due already.
     */
    default boolean waits() {
        return true;
    }

    /** Returns the longest pause between two polls for due jobs; zero if it does not poll for them. */
    default Duration poll() {
        return Duration.ZERO;
    }

    /**
     * Returns the maximum time to {@linkplain Instance#scheduleAll write} this number of jobs, for contenders that are
     * slow at it.
     */
    default Duration timeToWrite(int jobs) {
        return Duration.ZERO;
    }

    /** Describes its configuration in one line. */
    String configuration();

    /** Returns the contenders with these names, or all of them, by name. */
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
