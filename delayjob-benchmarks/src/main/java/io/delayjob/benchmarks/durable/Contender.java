package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A scheduler of durable jobs, with the settings that its documentation recommends for throughput. Stateless. */
interface Contender {

    /** Thread-safe. */
    interface Work {

        Work NONE = new Work() {

            @Override
            public void run(Instant due) {}

            @Override
            public void ended() {}
        };

        void run(Instant due) throws InterruptedException;

        /** This method is called when the end of a job is stored durably. */
        void ended();
    }

    /** An instance of a contender. Jobs can be scheduled before the instance starts. */
    interface Instance extends AutoCloseable {

        void start();

        void schedule(Instant due);

        /** This call is not measured. */
        void scheduleAll(List<Instant> due);

        /** Uses the method that the contender's users would call for many jobs. This call is measured. */
        default void scheduleBulk(int count, Instant due) {
            scheduleAll(Collections.nCopies(count, due));
        }

        @Override
        void close();
    }

    /**
     * Returns the SQL that creates the contender's tables. The SQL is empty if an instance creates the tables when it
     * is opened.
     */
    String tables();

    /** @param number the number of the instance, counted from 1; the number makes the name of the instance unique */
    Instance open(DataSource dataSource, Work work, int number);

    /**
     * Returns a query that finds a row while a due job has not ended durably. The query must use an index, so that it
     * reads no rows of the far future.
     */
    String unfinished();

    Pattern jobTables();

    /** Tells whether the contender accepts jobs that are due later. If not, it only runs jobs that are already due. */
    default boolean waits() {
        return true;
    }

    /** Longest pause between two polls for due jobs; zero if the contender does not poll. */
    default Duration poll() {
        return Duration.ZERO;
    }

    /** Maximum time of {@link Instance#scheduleAll} for this number of jobs. */
    default Duration timeToWrite(int jobs) {
        return Duration.ZERO;
    }

    String configuration();

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
