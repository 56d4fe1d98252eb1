package io.delayjob.proofs.chaos;

import io.delayjob.internal.jdbc.dialect.StoredState;
import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A PostgreSQL server, with a database for each round. */
final class PostgresRoundServer implements RoundServer {

    /**
     * The server keeps all acknowledged commits, and is soon available after a crash. If a client becomes silent within
     * a transaction, the server ends the session, because it has locked rows.
     */
    static final Map<String, String> SETTINGS = Map.of(
            "fsync", "on",
            "full_page_writes", "on",
            "checkpoint_timeout", "30s",
            "max_wal_size", "64MB",
            "idle_in_transaction_session_timeout", "4s");

    private final TestPostgresServer server;

    PostgresRoundServer(TestPostgresServer server) {
        this.server = server;
    }

    @Override
    public Set<FaultKind> faults() {
        return FaultKind.ON_POSTGRESQL;
    }

    @Override
    public String host() {
        return server.host();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public RoundStore create(String name) {
        String database = "round_" + name;
        Database store = new Database(server, database);
        store.close();
        try {
            server.createDatabase(database);
        } catch (SQLException refused) {
            throw new IllegalStateException("The database %s could not be created.".formatted(database), refused);
        }
        store.makeTables();
        return store;
    }

    @Override
    public void crash() {
        server.stopImmediately();
    }

    @Override
    public void startAgain() {
        server.startAgain();
    }

    @Override
    public boolean isAccepting() {
        try (Connection connection = DriverManager.getConnection(server.url("postgres"))) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }

    @Override
    public boolean inject(FaultKind kind, Duration length) {
        throw new IllegalArgumentException("A PostgreSQL cannot have the fault %s.".formatted(kind));
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class Database implements RoundStore {

        private final TestPostgresServer server;
        private final String name;
        private final JdbcTemplate jdbc;
        private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

        private Database(TestPostgresServer server, String name) {
            this.server = server;
            this.name = name;
            dataSource.setUrl(server.url(name));
            this.jdbc = new JdbcTemplate(dataSource);
        }

        private void makeTables() {
            TestSchema.apply(dataSource);
            jdbc.execute(Transactions.WITNESS);
            jdbc.execute(Effects.TABLE);
        }

        @Override
        public String url(String host, int port, Profile profile) {
            return TestPostgresServer.url(host, port, name) + "&sslmode=disable&connectTimeout=2&socketTimeout="
                    + profile.socketTimeoutSeconds();
        }

        @Override
        public long unfinished() {
            return count(
                    "(SELECT id FROM delayjob_job UNION ALL SELECT id FROM delayjob_group WHERE ended_at IS NULL) AS u");
        }

        @Override
        public long ended() {
            return count("delayjob_history");
        }

        @Override
        public long progress() {
            return count("delayjob_attempt");
        }

        private long count(String table) {
            return Objects.requireNonNull(jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class));
        }

        @Override
        public List<Row> rows() {
            return jdbc.query(
                    "SELECT id, state, job_key, partition_id FROM delayjob_job UNION ALL SELECT id, state, job_key, partition_id FROM delayjob_history",
                    (row, index) -> new Row(
                            job(row),
                            StoredState.stateOf(row.getInt(2)),
                            row.getString(3),
                            row.getInt(4) % Partition.MAX_PER_QUEUE));
        }

        @Override
        public List<Accepted> accepted(List<Row> rows) {
            return jdbc.query(
                    "SELECT job_id, run, attempt, outcome FROM delayjob_attempt",
                    (row, index) -> new Accepted(job(row), row.getInt(2), row.getInt(3), row.getString(4)));
        }

        @Override
        public Set<Long> committed() {
            return new HashSet<>(jdbc.queryForList("SELECT number FROM witness", Long.class));
        }

        @Override
        public List<Effect> effects() {
            return jdbc.query(
                    "SELECT job_id, attempt FROM effect", (row, index) -> new Effect(job(row), row.getInt(2)));
        }

        private static JobId job(ResultSet row) throws SQLException {
            return new JobId(row.getObject(1, UUID.class));
        }

        @Override
        public void close() {
            try {
                server.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            } catch (SQLException refused) {
                throw new IllegalStateException("The database %s could not be deleted.".formatted(name), refused);
            }
        }
    }
}
