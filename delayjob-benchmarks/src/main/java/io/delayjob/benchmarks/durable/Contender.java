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

/** A scheduler of durable jobs, set up as its documentation says for throughput. Stateless. */
interface Contender {

    /** What it is told of its one handler's jobs. Thread-safe. */
    interface Work {

        /** A job starts. */
        void run(Instant due) throws InterruptedException;

        /** A job's end is durable. */
        void ended();
    }

    /** One instance, not yet started; jobs can be scheduled before the start as well. */
    interface Instance extends AutoCloseable {

        void start();

        void schedule(Instant due);

        /** Many at once, each due at its own time; how they come into the table does not count. */
        void scheduleAll(List<Instant> due);

        /** Many at once, due at the same time, in the way that it has for its users: this counts. */
        default void scheduleBulk(int count, Instant due) {
            scheduleAll(Collections.nCopies(count, due));
        }

        @Override
        void close();
    }

    /** The SQL that makes its tables in an empty schema; empty: it makes them itself when an instance is opened. */
    String tables(Dialect dialect);

    /** @param number of the instance, from 1; a name of its own */
    Instance open(DataSource dataSource, Work work, int number);

    /**
     * A query that answers a row as long as a job that is due has not ended durably. It goes along an index by due
     * times, and never reads rows of the far future.
     */
    String unfinished();

    /** The tables in which its unfinished jobs stand and come due, as SQL names them. */
    Pattern jobTables();

    /** Whether it waits for jobs to come due; else it only ever works off those that are. */
    default boolean waits() {
        return true;
    }

    /** The longest pause between two looks for jobs that have come due; zero where it does not poll for them. */
    default Duration poll() {
        return Duration.ZERO;
    }

    /** So long it may take at the most to {@linkplain Instance#scheduleAll write} so many jobs, where that is long. */
    default Duration timeToWrite(int jobs) {
        return Duration.ZERO;
    }

    /** In one line, how it is configured. */
    String configuration();

    /** Those named, or all of them, by name. */
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
