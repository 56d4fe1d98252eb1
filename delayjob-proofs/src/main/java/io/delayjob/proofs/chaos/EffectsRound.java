package io.delayjob.proofs.chaos;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.proofs.chaos.Effects.Standing;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs atomic jobs in processes that are killed at random moments. After the last kill, the round waits until the
 * remaining jobs have ended.
 */
final class EffectsRound {

    /**
     * @param kills number of processes that are killed while there are unfinished jobs
     * @param patience if no job ends during this time, the unfinished jobs count as lost
     */
    record Setup(long seed, Mutant mutant, int jobs, double jobsPerSecond, int kills, int workers, Duration patience) {

        /**
         * Returns the maximum number of attempts before a kill. The number is so low that unfinished jobs remain until
         * the last kill.
         */
        int longestLife() {
            return Math.max(1, jobs / kills);
        }
    }

    record Outcome(Setup setup, int kills, Duration length, Standing standing) {

        boolean isExact() {
            return kills >= setup.kills() && standing.isExact(setup.jobs());
        }

        @Override
        public String toString() {
            return "%s: %d atomic jobs, %d kill -9 while they ran, in %d s: %s"
                    .formatted(
                            isExact() ? "exactly once" : "VIOLATED", setup.jobs(), kills, length.toSeconds(), standing);
        }
    }

    private static final int JOBS_IN_A_TRANSACTION = 500;
    private static final Duration LAST_MOMENTS = Duration.ofMillis(100);
    private static final Duration FIRST_DUE = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final TestPostgresServer server;
    private final Path directory;
    private final Setup setup;
    private final String database;
    private final String url;
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger kills = new AtomicInteger();
    private final List<WorkerProcess> all = new ArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param directory an empty directory for the ledgers and logs */
    EffectsRound(TestPostgresServer server, Path directory, Setup setup) {
        this.server = server;
        this.directory = directory;
        this.setup = setup;
        this.database = "effects_%d_%d".formatted(setup.seed(), setup.mutant().ordinal());
        this.url = server.url(database) + "&sslmode=disable&connectTimeout=2&socketTimeout="
                + Profile.FAST.socketTimeoutSeconds();
    }

    Outcome run() throws SQLException, InterruptedException {
        server.execute("DROP DATABASE IF EXISTS " + database);
        server.createDatabase(database);
        // Without this hook, a process could run for ever.
        Thread atExit = new Thread(this::killAll);
        Runtime.getRuntime().addShutdownHook(atExit);
        ExecutorService slots = Executors.newFixedThreadPool(setup.workers());
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url(database));
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            TestSchema.apply(pool);
            jdbc.execute(Effects.TABLE);
            submit();
            long began = System.nanoTime();
            List<Future<?>> lives = new ArrayList<>();
            for (int slot = 0; slot < setup.workers(); slot++) {
                SplittableRandom random = new SplittableRandom(setup.seed() * 100 + slot);
                lives.add(slots.submit(() -> live(random, jdbc)));
            }
            for (Future<?> life : lives) {
                life.get();
            }
            awaitRest(jdbc);
            return new Outcome(setup, kills.get(), Duration.ofNanos(System.nanoTime() - began), standing(jdbc));
        } catch (ExecutionException broken) {
            throw new IllegalStateException("A process could not be started or killed.", broken.getCause());
        } finally {
            slots.shutdownNow();
            killAll();
            Runtime.getRuntime().removeShutdownHook(atExit);
            server.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    }

    private void submit() {
        WorkerOrders orders = orders("scheduler");
        try (JdbcWorkerStore store = JdbcWorkerStore.open(orders);
                WorkerEngine engine = new WorkerEngine(store, orders, Ledger.append(orders.ledger()))) {
            for (int from = 0; from < setup.jobs(); from += JOBS_IN_A_TRANSACTION) {
                int first = from;
                store.transactions().run(status -> {
                    for (int job = first; job < Math.min(first + JOBS_IN_A_TRANSACTION, setup.jobs()); job++) {
                        long millis = (long) (job * 1_000 / setup.jobsPerSecond());
                        engine.jobs()
                                .schedule(Kind.ATOMIC.handler())
                                .with(List.of((long) job))
                                .after(FIRST_DUE.plusMillis(millis));
                    }
                });
            }
        }
    }

    private WorkerOrders orders(String name) {
        return new WorkerOrders(
                name,
                url,
                directory.resolve(name + ".ledger"),
                Profile.FAST,
                setup.mutant(),
                Duration.ZERO,
                0,
                setup.seed());
    }

    /**
     * The last process is not killed, so that the remaining jobs can end.
     */
    private void live(SplittableRandom random, JdbcTemplate jdbc) {
        while (true) {
            WorkerProcess worker = launch();
            worker.command("start");
            int attempts = 1 + random.nextInt(setup.longestLife());
            while (attemptsOf(worker) < attempts) {
                if (!isToBeKilled(jdbc)) {
                    return;
                }
                rest(BETWEEN_LOOKS);
            }
            rest(Duration.ofNanos(random.nextLong(LAST_MOMENTS.toNanos())));
            worker.kill();
            kills.incrementAndGet();
        }
    }

    private static long attemptsOf(WorkerProcess worker) {
        return Ledger.read(worker.ledger()).stream()
                .filter(line -> line.event() == Event.START)
                .count();
    }

    private boolean isToBeKilled(JdbcTemplate jdbc) {
        return kills.get() < setup.kills() && unfinished(jdbc) > 0;
    }

    private WorkerProcess launch() {
        WorkerProcess worker = WorkerProcess.start(orders("worker-" + started.incrementAndGet()));
        synchronized (all) {
            all.add(worker);
        }
        return worker;
    }

    private void awaitRest(JdbcTemplate jdbc) {
        long left = unfinished(jdbc);
        long changedNanos = System.nanoTime();
        while (left > 0 && System.nanoTime() - changedNanos < setup.patience().toNanos()) {
            rest(BETWEEN_LOOKS);
            long leftNow = unfinished(jdbc);
            if (leftNow != left) {
                changedNanos = System.nanoTime();
            }
            left = leftNow;
        }
    }

    private static long unfinished(JdbcTemplate jdbc) {
        return requireNonNull(jdbc.queryForObject("SELECT count(*) FROM delayjob_job", Long.class));
    }

    private static Standing standing(JdbcTemplate jdbc) {
        return jdbc.query(Standing.QUERY, row -> {
            row.next();
            return new Standing(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7),
                    row.getLong(8));
        });
    }

    private void killAll() {
        synchronized (all) {
            all.forEach(WorkerProcess::kill);
        }
    }

    private void rest(Duration length) {
        try {
            never.await(length.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
