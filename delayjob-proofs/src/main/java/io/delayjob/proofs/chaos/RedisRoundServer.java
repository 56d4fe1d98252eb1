package io.delayjob.proofs.chaos;

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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** A Redis whose append-only file has every write before its answer, with a namespace for each round. */
final class RedisRoundServer implements RoundServer {

    /** More than one, so that calls are spread over several scripts. */
    static final int SLOTS = 4;

    private static final int ANSWER_MILLIS = 2_000;

    /** A script that runs for longer is reported to other clients, and can be killed. */
    private static final String BUSY_MILLIS = "50";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestRedisServer server;
    private final CountDownLatch never = new CountDownLatch(1);

    private RedisRoundServer(TestRedisServer server) {
        this.server = server;
    }

    static RedisRoundServer start() {
        return new RedisRoundServer(TestRedisServer.start(
                "--appendonly", "yes", "--appendfsync", "always", "--busy-reply-threshold", BUSY_MILLIS));
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
        return server.port();
    }

    @Override
    public RoundStore create(String name) {
        ask("FLUSHALL");
        return new Namespace(RedisClient.create(server.uri()), name);
    }

    @Override
    public void crash() {
        server.kill();
    }

    @Override
    public void startAgain() {
        server.startAgain();
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

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(host(), port()), ANSWER_MILLIS);
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    private String ask(String command) {
        try (Socket socket = connect()) {
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
        server.close();
    }

    /** The keys of a round. Each call has connections of its own, because the server may have been away. */
    private static final class Namespace implements RoundStore {

        private final RedisClient client;
        private final String name;

        private Namespace(RedisClient client, String name) {
            this.client = client;
            this.name = name;
        }

        private RedisJobStore open() {
            return RedisJobStore.builder(client)
                    .namespace(name)
                    .slots(SLOTS)
                    .timeout(PATIENCE)
                    .build();
        }

        @Override
        public String url(String host, int port, Profile profile) {
            return RedisWorkerStore.url(host, port, name);
        }

        @Override
        public long unfinished() {
            return count(counts -> sum(counts, false));
        }

        @Override
        public long ended() {
            return count(counts -> sum(counts, true));
        }

        @Override
        public long progress() {
            return ended();
        }

        private long count(ToLongFunction<JobCounts> number) {
            try (RedisJobStore store = open()) {
                return number.applyAsLong(store.counts(Instant.EPOCH));
            }
        }

        private static long sum(JobCounts counts, boolean ended) {
            return Arrays.stream(JobState.values())
                    .filter(state -> state.isEnded() == ended)
                    .mapToLong(counts::in)
                    .sum();
        }

        @Override
        public List<Row> rows() {
            List<Row> rows = new ArrayList<>();
            try (RedisJobStore store = open()) {
                JobQuery query = JobQuery.all().limit(JobQuery.MAX_LIMIT);
                JobPage page = store.find(query, Instant.EPOCH);
                while (page.next() != null) {
                    page.forEach(job -> rows.add(row(job)));
                    page = store.find(query.after(page.next()), Instant.EPOCH);
                }
                page.forEach(job -> rows.add(row(job)));
            }
            return rows;
        }

        private static Row row(Job job) {
            return new Row(job.id(), job.state(), job.key());
        }

        @Override
        public List<Accepted> accepted(List<Row> rows) {
            List<Accepted> accepted = new ArrayList<>();
            try (RedisJobStore store = open()) {
                for (Row row : rows) {
                    for (AttemptRecord attempt : store.attempts(row.job(), JobQuery.MAX_LIMIT)) {
                        accepted.add(new Accepted(row.job(), attempt.run(), attempt.attempt(), attempt.outcome()));
                    }
                }
            }
            return accepted;
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
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
