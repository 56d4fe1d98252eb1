package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Controls the server that contains the jobs of rounds; faults may affect this server. */
interface RoundServer extends AutoCloseable {

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

    /** Returns the kinds of faults that a round can inject with this server. */
    Set<FaultKind> faults();

    String host();

    int port();

    /**
     * Returns an empty store for a round.
     *
     * @param name the name of the store: letters, digits and underscores. If a store of this name exists, for example
     *     after an interrupted round, it is deleted
     */
    RoundStore create(String name);

    /** Kills the server. After the kill, all acknowledged writes must be on disk. */
    void crash();

    /** Starts the server again after {@link #crash()}, with its data. */
    void startAgain();

    boolean isAccepting();

    /**
     * Injects a fault that exists only for this kind of server.
     *
     * @param length duration of the fault, if the fault has a duration
     * @return whether the fault took effect
     */
    boolean inject(FaultKind kind, Duration length) throws InterruptedException;

    @Override
    void close();
}
