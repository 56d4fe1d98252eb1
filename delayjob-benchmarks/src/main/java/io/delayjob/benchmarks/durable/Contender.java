package io.delayjob.benchmarks.durable;

import io.delayjob.jdbc.dialect.Dialect;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/** A scheduler of durable jobs, set up as its documentation says for throughput. Stateless. */
interface Contender {

    /** What it is told of each start of its one handler. Thread-safe. */
    @FunctionalInterface
    interface Work {
        void run(Instant due) throws InterruptedException;
    }

    /** One instance, not yet started. {@link #schedule} and {@link #scheduleAll} work before the start as well. */
    interface Instance extends AutoCloseable {

        void start();

        void schedule(Instant due);

        /** Its own way to schedule many at once. */
        void scheduleAll(List<Instant> due);

        @Override
        void close();
    }

    /** The SQL that makes its tables in an empty schema; empty: it makes them itself when an instance is opened. */
    String tables(Dialect dialect);

    /** @param number of the instance, from 1; a name of its own */
    Instance open(DataSource dataSource, Work work, int number);

    /** A query that answers a row as long as a job that is due has not ended durably. */
    String unfinished();

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
