package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.TestRedisServer;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server whose append-only file has every write before its answer, with a namespace for each round. It may have
 * a replica that can take its place.
 */
final class RedisRoundServer implements RoundServer {

    /** Number of slots. With more than one, calls are spread over several scripts. */
    static final int SLOTS = 4;

    private static final int ANSWER_MILLIS = 2_000;

    /** A script that runs for longer is reported to other clients, and can be killed. */
    private static final String BUSY_MILLIS = "50";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String[] OPTIONS = {
        "--appendonly", "yes", "--appendfsync", "always", "--busy-reply-threshold", BUSY_MILLIS
    };

    private final ClientResources resources = DefaultClientResources.create();
    private final CountDownLatch never = new CountDownLatch(1);
    private final int waitReplicas;
    private volatile TestRedisServer master;
    private @Nullable TestRedisServer replica;
    /** The proxy between the replica and its master. */
    private @Nullable TestProxy replication;

    private RedisRoundServer(TestRedisServer master, int waitReplicas) {
        this.master = master;
        this.waitReplicas = waitReplicas;
    }

    static RedisRoundServer start() {
        return new RedisRoundServer(TestRedisServer.start(OPTIONS), 0);
    }

    /**
     * Starts a server with a replica.
     *
     * @param waitReplicas number of replicas that writes wait for: 0 or 1
     */
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

    /** Lets the replica receive nothing for a while, and then take over. The dead master comes back as its replica. */
    private boolean failOver(Duration length) throws InterruptedException {
        TestProxy way = Objects.requireNonNull(replication);
        TestRedisServer next = Objects.requireNonNull(replica);
        TestRedisServer dead = master;
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

    /** The keys of a round. Each call has a client of its own, because the server may have changed. */
    private final class Namespace implements RoundStore {

        private final String name;

        private Namespace(String name) {
            this.name = name;
        }

        private <T> T read(Function<RedisJobStore, T> reading) {
            RedisClient client = RedisClient.create(resources, master.uri());
            try (RedisJobStore store = RedisJobStore.builder(client)
                    .namespace(name)
                    .slots(SLOTS)
                    .timeout(PATIENCE)
                    .build()) {
                return reading.apply(store);
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }

        @Override
        public String url(String host, int port, Profile profile) {
            return RedisWorkerStore.url(host, port, name, waitReplicas);
        }

        @Override
        public long unfinished() {
            return read(store -> sum(store.counts(Instant.EPOCH), false));
        }

        @Override
        public long ended() {
            return read(store -> sum(store.counts(Instant.EPOCH), true));
        }

        @Override
        public long progress() {
            return ended();
        }

        private static long sum(JobCounts counts, boolean ended) {
            return Arrays.stream(JobState.values())
                    .filter(state -> state.isEnded() == ended)
                    .mapToLong(counts::in)
                    .sum();
        }

        @Override
        public List<Row> rows() {
            return read(store -> {
                List<Row> rows = new ArrayList<>();
                JobQuery query = JobQuery.all().limit(JobQuery.MAX_LIMIT);
                JobPage page = store.find(query, Instant.EPOCH);
                while (page.next() != null) {
                    page.forEach(job -> rows.add(row(job)));
                    page = store.find(query.after(page.next()), Instant.EPOCH);
                }
                page.forEach(job -> rows.add(row(job)));
                return rows;
            });
        }

        private static Row row(Job job) {
            return new Row(job.id(), job.state(), job.key());
        }

        @Override
        public List<Accepted> accepted(List<Row> rows) {
            return read(store -> {
                List<Accepted> accepted = new ArrayList<>();
                for (Row row : rows) {
                    for (AttemptRecord attempt : store.attempts(row.job(), JobQuery.MAX_LIMIT)) {
                        accepted.add(new Accepted(row.job(), attempt.run(), attempt.attempt(), attempt.outcome()));
                    }
                }
                return accepted;
            });
        }

        @Override
        public Set<Long> committed() {
            return Set.of();
        }

        @Override
        public List<Effect> effects() {
            return List.of();
        }

        @Override
        public void close() {
            // The next round empties the server.
        }
    }
}
