package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** The server that keeps the jobs of rounds, and that faults may affect. */
interface RoundServer extends AutoCloseable {

    /** Starts the server that {@code --store} names; PostgreSQL by default. */
    static RoundServer start(Options options) throws IOException {
        String store = options.text("store", "postgresql");
        return switch (store) {
            case "postgresql" -> new PostgresRoundServer(TestPostgresServer.start(PostgresRoundServer.SETTINGS));
            case "redis" -> RedisRoundServer.start();
            case "redis-cluster" -> RedisClusterRoundServer.start(1);
            default ->
                throw new IllegalArgumentException(
                        "Invalid --store '%s': must be postgresql, redis or redis-cluster.".formatted(store));
        };
    }

    /** Returns the kinds of faults that can be injected with this server. */
    Set<FaultKind> faults();

    String host();

    int port();

    /**
     * Returns an empty store.
     *
     * @param name letters, digits and underscores. A store of this name, such as that of an interrupted round, is
     *     deleted
     */
    RoundStore create(String name);

    /** Kills the server. All acknowledged writes must be on disk. */
    void crash();

    /** Starts the server again after {@link #crash()}, with its data. */
    void startAgain();

    /** Tells whether the server answers. */
    boolean isAccepting();

    /**
     * Injects a fault that only this kind of server knows.
     *
     * @param length duration of the fault, if it has one
     * @return whether it took effect
     */
    boolean inject(FaultKind kind, Duration length) throws InterruptedException;

    @Override
    void close();
}
