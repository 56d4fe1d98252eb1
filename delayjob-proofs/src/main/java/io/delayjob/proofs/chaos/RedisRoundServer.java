package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.TestRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Redis server with a namespace for each round. A replica may take its place. */
final class RedisRoundServer implements RoundServer {

    private static final int ANSWER_MILLIS = 2_000;

    /** If a script runs longer than this time, the server is busy, and a client can kill the script. */
    private static final String BUSY_MILLIS = "50";

    private static final String[] OPTIONS = {
        "--appendonly", "yes", "--appendfsync", "always", "--busy-reply-threshold", BUSY_MILLIS
    };

    private final ClientResources resources = DefaultClientResources.create();
    private final CountDownLatch never = new CountDownLatch(1);
    private final int waitReplicas;
    private volatile TestRedisServer master;
    private @Nullable TestRedisServer replica;
    private @Nullable TestProxy replication;

    private RedisRoundServer(TestRedisServer master, int waitReplicas) {
        this.master = master;
        this.waitReplicas = waitReplicas;
    }

    static RedisRoundServer start() {
        return new RedisRoundServer(TestRedisServer.start(OPTIONS), 0);
    }

    /** @param waitReplicas number of replicas that each write waits for: 0 or 1 */
    static RedisRoundServer startReplicated(int waitReplicas) {
        RedisRoundServer server = new RedisRoundServer(TestRedisServer.start(OPTIONS), waitReplicas);
        TestProxy way = TestProxy.to(server.host(), server.port());
        server.replication = way;
        server.replica = TestRedisServer.startReplica(way.host(), way.port(), OPTIONS);
        return server;
    }

    @Override
    public Set<FaultKind> faults() {
        return FaultKind.ON_REDIS;
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return master.port();
    }

    @Override
    public RoundStore create(String name) {
        ask("FLUSHALL");
        return new Namespace(name);
    }

    @Override
    public void crash() {
        master.kill();
    }

    @Override
    public void startAgain() {
        master.startAgain();
    }

    @Override
    public boolean isAccepting() {
        try (Socket socket = connect()) {
            return ask(socket, "PING").equals("+PONG");
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public boolean inject(FaultKind kind, Duration length) throws InterruptedException {
        return switch (kind) {
            case FORGET_SCRIPTS -> ask("SCRIPT FLUSH").equals("+OK");
            case BUSY_SCRIPT -> beBusy(length);
            case FULL_MEMORY -> beFull(length);
            case FAILOVER -> failOver(length);
            default -> throw new IllegalArgumentException("A Redis cannot have the fault %s.".formatted(kind));
        };
    }

    private boolean beBusy(Duration length) throws InterruptedException {
        try (Socket script = connect()) {
            send(script, "EVAL 'while true do end' 0");
            never.await(length.toNanos(), TimeUnit.NANOSECONDS);
            return ask("SCRIPT KILL").equals("+OK");
        } catch (IOException broken) {
            throw new IllegalStateException("No script could be sent to Redis.", broken);
        }
    }

    private boolean beFull(Duration length) throws InterruptedException {
        ask("CONFIG SET maxmemory 1");
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
        return ask("CONFIG SET maxmemory 0").equals("+OK");
    }

    /** Stalls the replication first, so that the replica lacks the newest writes. */
    private boolean failOver(Duration length) throws InterruptedException {
        TestProxy way = Objects.requireNonNull(replication);
        TestRedisServer next = Objects.requireNonNull(replica);
        TestRedisServer dead = master;
        dead.awaitReceivedBy(next);
        way.stall();
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
        dead.kill();
        way.close();
        master = next;
        ask("REPLICAOF NO ONE");
        dead.startAgain();
        TestProxy back = TestProxy.to(host(), next.port());
        ask(dead.port(), "REPLICAOF %s %d".formatted(back.host(), back.port()));
        replication = back;
        replica = dead;
        return true;
    }

    private Socket connect() throws IOException {
        return connect(port());
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(host(), port), ANSWER_MILLIS);
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    private String ask(String command) {
        return ask(port(), command);
    }

    private String ask(int port, String command) {
        try (Socket socket = connect(port)) {
            return ask(socket, command);
        } catch (IOException broken) {
            throw new IllegalStateException("Redis did not answer '%s'.".formatted(command), broken);
        }
    }

    private static String ask(Socket socket, String command) throws IOException {
        send(socket, command);
        String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        return answer == null ? "" : answer;
    }

    private static void send(Socket socket, String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        if (replica != null) {
            replica.close();
        }
        if (replication != null) {
            replication.close();
        }
        master.close();
        resources.shutdown();
    }

    private final class Namespace extends RedisRoundStore {

        private Namespace(String name) {
            super(name);
        }

        @Override
        Client client() {
            RedisClient client = RedisClient.create(resources, master.uri());
            return new Client(client, RedisJobStore.builder(client));
        }

        @Override
        public String url(String host, int port, Profile profile) {
            return RedisWorkerStore.url(host, port, namespace(), waitReplicas);
        }
    }
}
