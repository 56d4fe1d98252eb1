package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Controls the server that the rounds use. Faults may affect this server. */
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

    Set<FaultKind> faults();

    String host();

    int port();

    /**
     * Creates a store. If a store with this name already exists, for example after an interrupted round, it is deleted
     * first.
     *
     * @param name the name of the store; may contain letters, digits and underscores
     */
    RoundStore create(String name);

    /** Kills the server. After the kill, all acknowledged writes must be on disk. */
    void crash();

    void startAgain();

    boolean isAccepting();

    /** @return whether the fault took effect */
    boolean inject(FaultKind kind, Duration length) throws InterruptedException;

    @Override
    void close();
}
