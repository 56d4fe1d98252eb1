package io.delayjob.proofs.chaos;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.handler.Answer;
import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.proofs.chaos.Calls.Call;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import io.delayjob.schedule.Repeat;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs jobs that await answers. Processes that run these jobs (callers) and processes that answer (answerers) are
 * killed again and again.
 */
final class AnswersRound {

    /**
     * @param jobs number of jobs; a third of these jobs run three times
     * @param kills number of processes that are killed; callers and answerers are killed alternately
     * @param callers number of callers that run at a time
     * @param patience how long the test waits while no job ends. After this time, unfinished jobs count as lost
     */
    record Setup(long seed, Mutant mutant, int jobs, double jobsPerSecond, int kills, int callers, Duration patience) {

        Duration length() {
            return Duration.ofMillis((long) (jobs * 1_000 / jobsPerSecond));
        }
    }

    private static final int PATIENCES_IN_ALL = 10;
    private static final int CONNECTIONS = 6;
    private static final int JOBS_IN_A_TRANSACTION = 500;
    private static final int ONE_SEQUENCE_IN = 3;
    private static final int CANCELLED_OF_HUNDRED = 15;
    private static final Duration FIRST_DUE = Duration.ofSeconds(3);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final TestPostgresServer server;
    private final Path directory;
    private final Setup setup;
    private final String database;
    private final String url;
    private final SplittableRandom random;
    private final Ledger ledger;
    private final List<WorkerProcess> all = new ArrayList<>();
    private final List<WorkerProcess> callers = new ArrayList<>();
    private final List<WorkerProcess> answerers = new ArrayList<>();
    private final List<Fault> kills = new ArrayList<>();
    private final ScheduledThreadPoolExecutor canceller = new ScheduledThreadPoolExecutor(2);
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param directory empty directory for the ledgers and logs */
    AnswersRound(TestPostgresServer server, Path directory, Setup setup) {
        this.server = server;
        this.directory = directory;
        this.setup = setup;
        this.database = "answers_%d_%d".formatted(setup.seed(), setup.mutant().ordinal());
        this.url = server.url(database) + "&sslmode=disable&connectTimeout=2&socketTimeout="
                + Profile.FAST.socketTimeoutSeconds();
        this.random = new SplittableRandom(setup.seed());
        this.ledger = Ledger.append(directory.resolve("scheduler.ledger"));
    }

    AnswersAccount run() throws SQLException, InterruptedException {
        server.execute("DROP DATABASE IF EXISTS " + database);
        server.createDatabase(database);
        // Without this hook, a process could run for ever.
        Thread atExit = new Thread(this::killAll);
        Runtime.getRuntime().addShutdownHook(atExit);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url(database));
            pool.setMaximumPoolSize(CONNECTIONS);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            TestSchema.apply(pool);
            Calls.TABLES.forEach(jdbc::execute);
            WorkerOrders own = orders("scheduler");
            try (JdbcWorkerStore store = JdbcWorkerStore.open(own);
                    WorkerEngine engine = new WorkerEngine(store, own, ledger)) {
                for (int caller = 0; caller < setup.callers(); caller++) {
                    callers.add(launch("caller-", WorkerMain.class));
                }
                answerers.add(launch("answerer-", AnswererMain.class));
                present().forEach(process -> process.command("start"));
                schedule(engine, store.transactions());
                killOneAfterTheOther();
                awaitRest(jdbc);
                canceller.shutdown();
                canceller.awaitTermination(setup.patience().toMillis(), TimeUnit.MILLISECONDS);
                stop();
                askForTheLastWord(engine, jdbc);
            }
            return account(jdbc);
        } finally {
            canceller.shutdownNow();
            killAll();
            Runtime.getRuntime().removeShutdownHook(atExit);
            server.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    }

    private void schedule(WorkerEngine engine, Transactions transactions) {
        for (int from = 1; from <= setup.jobs(); from += JOBS_IN_A_TRANSACTION) {
            int first = from;
            int next = Math.min(from + JOBS_IN_A_TRANSACTION, setup.jobs() + 1);
            transactions.run(status -> {
                for (int number = first; number < next; number++) {
                    schedule(engine, number);
                }
            });
        }
    }

    private void schedule(WorkerEngine engine, long number) {
        Kind kind = random.nextInt(ONE_SEQUENCE_IN) == 0 ? Kind.AWAIT_SEQUENCE : Kind.AWAIT;
        Duration delay = FIRST_DUE.plusMillis((long) (number * 1_000 / setup.jobsPerSecond()));
        ledger.write(LedgerLine.of(Event.SUBMITTING).withJob(number, null).withNote(kind));
        Repeat repeat = kind.schedule();
        JobId job = (repeat == null
                        ? engine.jobs()
                                .schedule(kind.handler())
                                .with(List.of(number))
                                .after(delay)
                        : engine.jobs()
                                .schedule(kind.handler())
                                .with(List.of(number))
                                .repeat(repeat.starting(Instant.now().plus(delay))))
                .id();
        ledger.write(LedgerLine.of(Event.SCHEDULED).withJob(number, job));
        if (random.nextInt(100) < CANCELLED_OF_HUNDRED) {
            // Between a moment before the start and a moment after the deadline, the job may be in any state.
            long spread = Calls.answerWithin(number).toMillis() * 3 / 2;
            long after = delay.toMillis() - 50 + random.nextLong(spread);
            canceller.schedule(() -> cancel(engine, number, job), after, TimeUnit.MILLISECONDS);
        }
    }

    private void cancel(WorkerEngine engine, long number, JobId job) {
        ledger.write(LedgerLine.of(Event.CANCELLING).withJob(number, job));
        String result;
        try {
            result = engine.jobs().cancel(job).name();
        } catch (RuntimeException lost) {
            result = "UNKNOWN";
        }
        ledger.write(LedgerLine.of(Event.CANCEL_ANSWER).withJob(number, job).withNote(result));
    }

    private void killOneAfterTheOther() {
        rest(FIRST_DUE);
        Duration pace = setup.length().dividedBy(Math.max(1, setup.kills()));
        for (int kill = 0; kill < setup.kills(); kill++) {
            rest(Duration.ofNanos(random.nextLong(pace.toNanos())));
            if (kill % 2 == 0) {
                replace(callers, "caller-", WorkerMain.class);
            } else {
                replace(answerers, "answerer-", AnswererMain.class);
            }
        }
    }

    private void replace(List<WorkerProcess> kind, String prefix, Class<?> main) {
        int slot = random.nextInt(kind.size());
        WorkerProcess victim = kind.get(slot);
        long began = System.nanoTime();
        victim.kill();
        kills.add(new Fault(FaultKind.KILL, victim.name(), began, System.nanoTime(), 1));
        WorkerProcess next = launch(prefix, main);
        kind.set(slot, next);
        next.command("start");
    }

    private WorkerProcess launch(String prefix, Class<?> main) {
        String name = prefix + (all.size() + 1);
        WorkerProcess process = WorkerProcess.start(orders(name), main);
        synchronized (all) {
            all.add(process);
        }
        return process;
    }

    private List<WorkerProcess> present() {
        return Stream.concat(callers.stream(), answerers.stream()).toList();
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

    private void awaitRest(JdbcTemplate jdbc) {
        long left = count(jdbc, "delayjob_job");
        long deadline = System.nanoTime()
                + setup.patience().multipliedBy(PATIENCES_IN_ALL).toNanos();
        long changedNanos = System.nanoTime();
        while (left > 0
                && System.nanoTime() - deadline < 0
                && System.nanoTime() - changedNanos < setup.patience().toNanos()) {
            rest(BETWEEN_LOOKS);
            long leftNow = count(jdbc, "delayjob_job");
            if (leftNow != left) {
                changedNanos = System.nanoTime();
            }
            left = leftNow;
        }
    }

    private static long count(JdbcTemplate jdbc, String table) {
        Long count = jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class);
        return count == null ? 0 : count;
    }

    private void stop() {
        present().forEach(WorkerProcess::terminate);
        present().forEach(WorkerProcess::awaitExit);
    }

    private void askForTheLastWord(WorkerEngine engine, JdbcTemplate jdbc) {
        for (Call call : Calls.latestOfCancelled(jdbc, StoredState.codeOf(JobState.CANCELLED))) {
            LedgerLine line = LedgerLine.of(Event.ANSWERING)
                    .withJob(call.number(), call.ticket().job());
            ledger.write(line);
            ledger.write(LedgerLine.of(Event.ANSWERED)
                    .withJob(call.number(), call.ticket().job())
                    .withNote(engine.jobs().answer(call.ticket(), Answer.done())));
        }
    }

    private AnswersAccount account(JdbcTemplate jdbc) {
        Map<String, List<LedgerLine>> ledgers = new HashMap<>();
        ledgers.put("scheduler", Ledger.read(directory.resolve("scheduler.ledger")));
        all.forEach(process -> ledgers.put(process.name(), Ledger.read(process.ledger())));
        Evidence evidence = new Evidence(
                Profile.FAST,
                ledgers,
                kills,
                jdbc.query(
                        "SELECT id, state, job_key, partition_id FROM delayjob_job UNION ALL SELECT id, state, job_key, partition_id FROM delayjob_history",
                        (row, line) -> new Row(
                                new JobId(row.getObject(1, UUID.class)),
                                StoredState.stateOf(row.getInt(2)),
                                row.getString(3),
                                row.getInt(4) % Partition.MAX_PER_QUEUE)),
                jdbc.query(
                        "SELECT job_id, run, attempt, outcome FROM delayjob_attempt",
                        (row, line) -> new Accepted(
                                new JobId(row.getObject(1, UUID.class)),
                                row.getInt(2),
                                row.getInt(3),
                                row.getString(4))),
                Set.of(),
                List.of());
        return new AnswersAccount(evidence, Calls.work(jdbc));
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
