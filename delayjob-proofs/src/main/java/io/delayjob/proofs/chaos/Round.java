package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.jdbc.dialect.StoredState;
import io.delayjob.job.JobId;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The life of a cluster on a database of its own: it schedules and runs jobs while faults happen, comes to rest, and
 * stops.
 */
final class Round {

    /**
     * The settings of a round.
     *
     * @param jobsPerSecond rate at which the whole cluster schedules jobs
     * @param jobs minimum number of committed jobs; after the last fault, the round continues until this number is
     * reached
     * @param longestDelay maximum delay of jobs, which are due at random within it
     * @param calm time before the first fault
     * @param patience time to wait at the end while no attempt ends; jobs that have not ended by then count as lost
     */
    record Setup(
            long seed,
            Profile profile,
            Mutant mutant,
            int workers,
            double jobsPerSecond,
            int jobs,
            Duration longestDelay,
            Duration calm,
            Duration patience,
            FaultPlan plan) {}

    /**
     * Settings of the PostgreSQL server. The server keeps all acknowledged commits, and is available again soon after a
     * crash. It ends a session whose client falls silent within a transaction, because that session locks rows for all
     * others.
     */
    static final Map<String, String> SERVER = Map.of(
            "fsync", "on",
            "full_page_writes", "on",
            "checkpoint_timeout", "30s",
            "max_wal_size", "64MB",
            "idle_in_transaction_session_timeout", "4s");

    private static final int PATIENCES_IN_ALL = 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final TestPostgresServer server;
    private final Path directory;
    private final Setup setup;
    private final String database;
    private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param directory an empty directory for ledgers and logs */
    Round(TestPostgresServer server, Path directory, Setup setup) {
        this.server = server;
        this.directory = directory;
        this.setup = setup;
        this.database = "round_%s_%d_%d"
                .formatted(
                        Long.toUnsignedString(setup.seed(), 36),
                        setup.profile().ordinal(),
                        setup.mutant().ordinal());
        this.dataSource.setUrl(server.url(database));
    }

    Evidence run() throws IOException, SQLException, InterruptedException {
        server.execute("DROP DATABASE IF EXISTS " + database);
        server.createDatabase(database);
        makeTables();
        try (Cluster cluster = new Cluster(server, database, directory, setup)) {
            cluster.start();
            awaitShares(cluster);
            rest(setup.calm());
            List<Fault> faults = new Injector(cluster, server, setup).run(setup.plan());
            Files.write(
                    directory.resolve("faults.txt"),
                    faults.stream().map(Fault::toString).toList());
            cluster.checkPresent();
            while (count("delayjob_job") + count("delayjob_history") < setup.jobs()) {
                rest(BETWEEN_LOOKS);
                cluster.checkPresent();
            }
            cluster.unload();
            awaitRest();
            cluster.stop();
            return evidence(cluster, faults);
        } finally {
            server.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    }

    private void makeTables() throws SQLException {
        TestSchema.apply(dataSource);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE witness (number BIGINT PRIMARY KEY)");
            statement.execute(Effects.TABLE);
        }
    }

    /** Waits until all partitions are led. New processes take their time, and faults should find leases to break. */
    private void awaitShares(Cluster cluster) throws InterruptedException {
        long deadline = System.nanoTime() + WorkerProcess.PATIENCE.toNanos();
        while (!cluster.isShared() && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_LOOKS);
        }
    }

    /**
     * Waits until all jobs have ended. A busy machine may take long; a job that is attempted again and again never
     * ends.
     */
    private void awaitRest() throws SQLException, InterruptedException {
        long ended = count("delayjob_attempt");
        long endedNanos = System.nanoTime();
        long deadline =
                endedNanos + setup.patience().multipliedBy(PATIENCES_IN_ALL).toNanos();
        while (count("delayjob_job") > 0
                && System.nanoTime() - endedNanos < setup.patience().toNanos()
                && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_LOOKS);
            long endedNow = count("delayjob_attempt");
            if (endedNow > ended) {
                ended = endedNow;
                endedNanos = System.nanoTime();
            }
        }
    }

    private Evidence evidence(Cluster cluster, List<Fault> faults) throws SQLException {
        Map<String, List<LedgerLine>> ledgers = new HashMap<>();
        for (WorkerProcess worker : cluster.all()) {
            ledgers.put(worker.name(), Ledger.read(worker.ledger()));
        }
        return new Evidence(
                setup.profile(),
                ledgers,
                faults,
                query(
                        "SELECT id, state, job_key FROM delayjob_job UNION ALL SELECT id, state, job_key FROM delayjob_history",
                        row -> new Row(job(row), StoredState.stateOf(row.getInt(2)), row.getString(3))),
                query(
                        "SELECT job_id, run, attempt, outcome FROM delayjob_attempt",
                        row -> new Accepted(job(row), row.getInt(2), row.getInt(3), row.getString(4))),
                new HashSet<>(query("SELECT number FROM witness", row -> row.getLong(1))),
                query("SELECT job_id, attempt FROM effect", row -> new Effect(job(row), row.getInt(2))));
    }

    private long count(String table) throws SQLException {
        return query("SELECT count(*) FROM " + table, row -> row.getLong(1)).get(0);
    }

    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String sql, Reading<T> reading) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reading.read(rows));
            }
            return read;
        }
    }

    private Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    private static JobId job(ResultSet row) throws SQLException {
        return new JobId(row.getObject(1, UUID.class));
    }

    private void rest(Duration length) throws InterruptedException {
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
    }
}
