package io.delayjob.benchmarks.durable;

import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.PartitionCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Measures each read of the dashboard's pages on tables with millions of rows, with empty caches (cold) and full caches
 * (warm).
 */
public final class PageReadsBenchmark {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final Duration DAY = Duration.ofDays(1);

    private static final int PAGE = 50;

    /** A request of the dashboard reads this number of rows of each table before it checks the time. */
    private static final int STEP = 2_500;

    /** After this time, a request of the dashboard reads no more rows. */
    private static final Duration TIME = Duration.ofMillis(10);

    /**
     * Number of times that the benchmark writes the statistics of a minute. At each write, the store sums up one more
     * day, until a week is summed up.
     */
    private static final int WRITES = 8;

    private final BenchmarkDatabase database;
    private final JdbcJobStore store;
    private final Instant now;
    private final JobId waiting;

    private PageReadsBenchmark(BenchmarkDatabase database) {
        this.database = database;
        this.store = JdbcJobStore.builder(database.dataSource(), new JdbcTransactionManager(database.dataSource()))
                .build();
        this.now = Instant.ofEpochMilli(store.clockMicros() / 1_000);
        MinuteRow idle = new MinuteRow(now.truncatedTo(ChronoUnit.MINUTES), ManyRows.NAMES.get(0), MinuteCounts.NONE);
        IntStream.range(0, WRITES).forEach(write -> store.recordMinutes(1_000, List.of(idle)));
        database.vacuum();
        this.waiting = store.find(JobQuery.state(JobState.DELAYED).limit(1), now)
                .jobs()
                .get(0)
                .id();
    }

    /**
     * @param arguments {@code --url} or {@code --data}, {@code --waiting} (10,000,000), {@code --ended} (10,000,000),
     *     {@code --warm} (20): number of warm measurements of each read; with 0, the benchmark only fills the tables
     */
    public static void main(String[] arguments) {
        Options options = Options.parse(arguments, Set.of("url", "data", "waiting", "ended", "warm"));
        System.out.println(Machine.describe());
        try (BenchmarkDatabase database = options.database(2)) {
            int waiting = options.number("waiting", 10_000_000);
            int ended = options.number("ended", 10_000_000);
            long begin = System.nanoTime();
            new ManyRows(database).fill(waiting, ended);
            System.out.printf(
                    Locale.ROOT,
                    "%,d waiting and %,d ended jobs, %s, filled in %d s%n%n",
                    waiting,
                    ended,
                    database.text("SELECT pg_size_pretty(pg_database_size(current_database()))"),
                    Duration.ofNanos(System.nanoTime() - begin).toSeconds());
            int warm = options.number("warm", 20);
            if (warm > 0) {
                new PageReadsBenchmark(database).measure(warm);
            }
        }
        System.out.println(Machine.describe());
    }

    private void measure(int warm) {
        System.out.println("| page | read | cold, ms | warm, ms: quickest | median | slowest | pages |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        reads().forEach((name, read) -> {
            // The first run also loads classes, which is not a cost of the database.
            Objects.requireNonNull(read.get());
            evict();
            double cold = millis(read);
            double[] times = new double[warm];
            Arrays.setAll(times, run -> millis(read));
            Arrays.sort(times);
            long before = touched();
            Objects.requireNonNull(read.get());
            long after = touched();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f | %.1f | %,d |%n",
                    name.replace(": ", " | "),
                    cold,
                    times[0],
                    times[warm / 2],
                    times[warm - 1],
                    after - before);
        });
    }

    /**
     * Returns the number of 8 kB pages that were read, from memory or from disk. For a read with a time limit, this
     * number depends on the load of the machine. For all other reads, it does not.
     */
    private long touched() {
        // A connection can flush only its own statistics. The store uses the other connection only for its clock.
        database.text("SELECT pg_stat_force_next_flush()");
        return Long.parseLong(database.text("""
                SELECT SUM(heap_blks_hit + heap_blks_read + COALESCE(idx_blks_hit + idx_blks_read, 0)
                    + COALESCE(toast_blks_hit + toast_blks_read, 0))
                FROM pg_statio_user_tables
                WHERE schemaname = current_schema()
                """));
    }

    private static double millis(Supplier<?> read) {
        long begin = System.nanoTime();
        Objects.requireNonNull(read.get());
        return (System.nanoTime() - begin) / 1e6;
    }

    private Map<String, Supplier<?>> reads() {
        Map<String, Supplier<?>> reads = new LinkedHashMap<>();
        reads.put("Overview: number of jobs in each state", () -> store.counts(now));
        reads.put("Overview: due in the next hour", () -> store.due(new DueSpan(now, Duration.ofMinutes(1), 60)));
        reads.put("Overview: minutes of the last hour", () -> minutes(Duration.ofMinutes(1), 60));
        reads.put("Overview: failures of an hour", () -> failures(HOUR));
        reads.put("Live wheel: due in a day", () -> store.due(new DueSpan(now, Duration.ofMinutes(15), 96)));
        reads.put("Timetable: due in a week", () -> store.due(new DueSpan(now, HOUR, 168)));
        reads.put("Timetable: due in 30 days", () -> store.due(new DueSpan(now, DAY, 30)));
        reads.put("Timetable: minutes of a day", () -> minutes(Duration.ofMinutes(15), 96));
        reads.put("Timetable: minutes of a week", () -> minutes(HOUR, 168));
        for (JobState state : List.of(JobState.RUNNING, JobState.READY, JobState.AWAITING, JobState.DELAYED)) {
            JobQuery query = JobQuery.state(state).order(JobOrder.DUE);
            reads.put("Jobs: %s, by due time".formatted(state), () -> find(query));
        }
        reads.put("Jobs: the last to end", () -> find(JobQuery.all().order(JobOrder.ENDED)));
        for (JobState state : JobState.values()) {
            reads.put(
                    "Jobs: %s, the newest first".formatted(state),
                    () -> find(JobQuery.state(state).order(JobOrder.NEWEST)));
        }
        reads.put(
                "Jobs: key and name",
                () -> find(JobQuery.all().name("send-webhook").key("order-400")));
        reads.put(
                "Jobs: key alone, under 7 names",
                () -> ManyRows.NAMES.stream()
                        .map(name -> find(JobQuery.all().name(name).key("order-400")))
                        .toList());
        reads.put("Jobs: a name that nobody has", () -> find(JobQuery.all().name("nobody")));
        reads.put(
                "Jobs: DELAYED of a rare name",
                () -> find(JobQuery.state(JobState.DELAYED).name("nightly-report")));
        reads.put(
                "Jobs: FAILED of a name and an error",
                () -> find(JobQuery.state(JobState.FAILED)
                        .name("send-webhook")
                        .error("java.net.SocketTimeoutException")
                        .order(JobOrder.NEWEST)));
        reads.put("Job: by id", () -> store.find(waiting).orElseThrow());
        reads.put("Job: its attempts", () -> store.attempts(waiting, 100));
        reads.put("Failures: of a day", () -> failures(DAY));
        reads.put("Failures: of 30 days", () -> failures(Duration.ofDays(30)));
        reads.put(
                "Handlers: unfinished jobs by name",
                () -> store.due(new DueSpan(Instant.EPOCH, Duration.ofDays(3_000_000), 1)));
        reads.put(
                "Handlers: the first due of each partition",
                () -> store.dueAfter(
                        store.partitionsInUse().keySet().stream()
                                .map(PartitionCursor::start)
                                .toList(),
                        now,
                        100));
        reads.put("Handlers: of all instances", () -> store.instances().handlers());
        reads.put("Queues: partitions in use", store::partitionsInUse);
        reads.put("Cluster: instances", () -> store.instances().list());
        return reads;
    }

    /** Reads in steps, like the endpoint, until the page is full or the time is up. */
    private List<Job> find(JobQuery query) {
        long begin = System.nanoTime();
        JobPage page = store.find(query.limit(PAGE).lookAt(STEP), now);
        while (page.next() != null
                && page.jobs().size() < PAGE
                && page.lookedAt() < JobQuery.MAX_LOOK
                && System.nanoTime() - begin < TIME.toNanos()) {
            JobQuery rest = query.after(page.next()).limit(PAGE - page.jobs().size());
            page = page.followedBy(store.find(rest.lookAt(STEP), now));
        }
        return page.jobs();
    }

    private Object failures(Duration span) {
        return store.failures(new FailureGroups.Span(now.minus(span), now, 24));
    }

    private Object minutes(Duration width, int buckets) {
        long begin = Math.floorDiv(now.toEpochMilli(), width.toMillis()) + 1 - buckets;
        return store.minutes(new MinuteSpan(Instant.ofEpochMilli(begin * width.toMillis()), width, buckets));
    }

    private void evict() {
        if (!database.isLocal()) {
            return;
        }
        database.run(
                "CREATE EXTENSION IF NOT EXISTS pg_buffercache SCHEMA public; CHECKPOINT; SELECT public.pg_buffercache_evict_all()");
        Path directory = Path.of(database.text("SHOW data_directory"))
                .resolve("base")
                .resolve(database.text("SELECT oid FROM pg_database WHERE datname = current_database()"));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // With no block to copy, dd only requests that the cache drops the pages of the file.
                new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                        .start()
                        .waitFor();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
