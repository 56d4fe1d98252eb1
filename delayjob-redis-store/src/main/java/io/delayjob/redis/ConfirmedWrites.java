package io.delayjob.redis;

import io.delayjob.store.Durability;
import io.delayjob.store.StoreException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts, and waits until replicas have confirmed their writes. A call sends the command WAIT after its scripts.
 * WAIT delays all later commands on its connection. So each call has its own connection, which is called a
 * <em>lane</em>.
 *
 * <p>WAIT counts only the writes of its own connection. So a call sends its scripts and WAIT together. Otherwise, a new
 * connection to another master might seem to confirm the writes of the old connection.
 *
 * <p>In a cluster, the scripts are sent directly to the master of their slot. The scripts do not follow a redirection,
 * because the command WAIT would not follow it.
 */
final class ConfirmedWrites implements Writes {

    static final int LANES = 8;

    private final BlockingQueue<RedisConnections> free = new LinkedBlockingQueue<>();
    private final List<RedisConnections> all = new ArrayList<>();
    private final int replicas;
    private final Duration timeout;
    private final Runnable redirected;

    private record Order(StatefulConnection<String, byte[]> connection, List<Integer> places) {}

    private record Sent(
            Order order,
            List<CompletableFuture<List<Object>>> answers,
            CompletableFuture<List<Object>> mark,
            CompletableFuture<Long> confirmed) {

        private void cancel() {
            answers.forEach(answer -> answer.cancel(true));
            mark.cancel(true);
            confirmed.cancel(true);
        }
    }

    ConfirmedWrites(Supplier<RedisConnections> connector, int replicas, Duration timeout, Runnable redirected) {
        this.replicas = replicas;
        this.timeout = timeout;
        this.redirected = redirected;
        try {
            while (all.size() < LANES) {
                all.add(connector.get());
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
        free.addAll(all);
    }

    @Override
    public Runs begin(String doing, LuaScript script) {
        List<Call> calls = new ArrayList<>();
        return new Runs() {
            @Override
            public void add(Call call) {
                calls.add(call);
            }

            @Override
            public List<List<Object>> answers() {
                return confirmed(doing, script, calls);
            }
        };
    }

    private List<List<Object>> confirmed(String doing, LuaScript script, List<Call> calls) {
        if (calls.isEmpty()) {
            return List.of();
        }
        RedisConnections lane = take(doing);
        try {
            RedisConnections.Opened opened = lane.get();
            Exchange exchange = new Exchange(doing, lane, opened);
            List<List<Object>> answers = new ArrayList<>(calls.size());
            calls.forEach(call -> answers.add(List.of()));
            List<Integer> unknown = exchange.run(script.digest(), false, calls, places(calls.size()), answers);
            if (!unknown.isEmpty()) {
                // A server that does not know a script has not run it.
                exchange.run(script.text(), true, calls, unknown, answers);
            }
            return answers;
        } finally {
            free.add(lane);
        }
    }

    private static List<Integer> places(int count) {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < count; place++) {
            places.add(place);
        }
        return places;
    }

    @Override
    public void confirm(String doing, Collection<String> keys) {
        run(
                doing,
                LuaScript.MARK,
                keys.stream()
                        .map(ConfirmedWrites::mark)
                        .distinct()
                        .map(ConfirmedWrites::callOn)
                        .toList());
    }

    private static Call callOn(String mark) {
        return new Call(List.of(mark), List.of());
    }

    /**
     * Returns a key with the same hash tag as the neighbouring key. So both keys are in one slot. The returned key
     * exists only while the script runs.
     */
    private static String mark(String neighbour) {
        return neighbour.substring(0, neighbour.indexOf('}') + 1) + ":mark";
    }

    private RedisConnections take(String doing) {
        try {
            RedisConnections lane = free.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (lane == null) {
                throw StoreException.unavailable(
                        "All %d connections for confirmed writes were busy for %d ms before %s: the same call may succeed later."
                                .formatted(LANES, timeout.toMillis(), doing));
            }
            return lane;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable("The thread was interrupted before %s.".formatted(doing), interrupted);
        }
    }

    private final class Exchange {

        private final String doing;
        private final RedisConnections lane;
        private final RedisConnections.Opened opened;

        Exchange(String doing, RedisConnections lane, RedisConnections.Opened opened) {
            this.doing = doing;
            this.lane = lane;
            this.opened = opened;
        }

        List<Integer> run(
                String script, boolean whole, List<Call> calls, List<Integer> places, List<List<Object>> answers) {
            List<Sent> sent = new ArrayList<>();
            try {
                orders(calls, places).forEach(order -> sent.add(send(order, script, whole, calls)));
                return answered(sent, answers);
            } catch (RuntimeException failed) {
                // Commands that were not sent yet must not be sent later.
                sent.forEach(Sent::cancel);
                throw failed;
            }
        }

        private List<Integer> answered(List<Sent> sent, List<List<Object>> answers) {
            List<Integer> unknown = new ArrayList<>();
            for (Sent each : sent) {
                for (int i = 0; i < each.answers.size(); i++) {
                    int place = each.order.places.get(i);
                    List<Object> answer = awaitKnown(each.answers.get(i));
                    if (answer == null) {
                        unknown.add(place);
                    } else {
                        answers.set(place, answer);
                    }
                }
            }
            for (Sent each : sent) {
                await(each.mark);
                checkConfirmed(await(each.confirmed));
            }
            return unknown;
        }

        private Collection<Order> orders(List<Call> calls, List<Integer> places) {
            Map<StatefulConnection<String, byte[]>, Order> orders = new LinkedHashMap<>();
            for (int place : places) {
                StatefulConnection<String, byte[]> master =
                        masterOf(calls.get(place).keys().get(0));
                orders.computeIfAbsent(master, first -> new Order(first, new ArrayList<>()))
                        .places
                        .add(place);
            }
            return orders.values();
        }

        private StatefulConnection<String, byte[]> masterOf(String key) {
            if (opened.connection() instanceof StatefulRedisClusterConnection<String, byte[]> cluster) {
                RedisClusterNode master = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
                if (master == null) {
                    throw StoreException.unavailable(
                            "No master has the slot of %s now: the same call may succeed later.".formatted(key));
                }
                return connectionTo(cluster, master);
            }
            return opened.connection();
        }

        private StatefulConnection<String, byte[]> connectionTo(
                StatefulRedisClusterConnection<String, byte[]> cluster, RedisClusterNode master) {
            try {
                return cluster.getConnection(master.getNodeId());
            } catch (RuntimeException unreachable) {
                throw RedisErrors.translate(doing, unreachable);
            }
        }

        /**
         * A small write follows the scripts. Because of this write, WAIT waits for earlier writes even if the scripts
         * write nothing.
         */
        private Sent send(Order order, String script, boolean whole, List<Call> calls) {
            RedisClusterAsyncCommands<String, byte[]> redis = commands(order.connection);
            List<CompletableFuture<List<Object>>> answers = new ArrayList<>();
            order.connection.setAutoFlushCommands(false);
            try {
                for (int place : order.places) {
                    String[] keys = calls.get(place).keys().toArray(String[]::new);
                    byte[][] arguments = calls.get(place).arguments().toArray(byte[][]::new);
                    answers.add((whole
                                    ? redis.<List<Object>>eval(script, ScriptOutputType.MULTI, keys, arguments)
                                    : redis.<List<Object>>evalsha(script, ScriptOutputType.MULTI, keys, arguments))
                            .toCompletableFuture());
                }
                String beside = calls.get(order.places.get(0)).keys().get(0);
                CompletableFuture<List<Object>> mark = redis.<List<Object>>eval(
                                LuaScript.MARK.text(), ScriptOutputType.MULTI, new String[] {mark(beside)})
                        .toCompletableFuture();
                CompletableFuture<Long> confirmed =
                        redis.waitForReplication(replicas, patienceMillis()).toCompletableFuture();
                order.connection.flushCommands();
                return new Sent(order, answers, mark, confirmed);
            } catch (RuntimeException refused) {
                throw RedisErrors.translate(doing, refused);
            }
        }

        private @Nullable List<Object> awaitKnown(CompletableFuture<List<Object>> answer) {
            return await(answer.handle((value, error) -> {
                        if (error instanceof RedisNoScriptException) {
                            return Optional.<List<Object>>empty();
                        }
                        if (error != null) {
                            throw new CompletionException(error);
                        }
                        return Optional.of(value);
                    }))
                    .orElse(null);
        }

        private <T> T await(CompletableFuture<T> answer) {
            try {
                return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                lane.giveUp(opened);
                throw StoreException.unavailable(
                        "Redis did not answer within %d ms while %s: it is unknown whether the call was carried out."
                                .formatted(timeout.toMillis(), doing),
                        late);
            } catch (InterruptedException interrupted) {
                lane.giveUp(opened);
                Thread.currentThread().interrupt();
                throw StoreException.unavailable(
                        "The thread was interrupted while %s: it is unknown whether the call was carried out."
                                .formatted(doing),
                        interrupted);
            } catch (ExecutionException | RuntimeException failed) {
                if (RedisErrors.isRedirection(failed)) {
                    redirected.run();
                }
                if (failed.getCause() instanceof RedisReadOnlyException) {
                    lane.giveUpSoon(opened);
                }
                throw RedisErrors.translate(doing, failed);
            }
        }

        private void checkConfirmed(long count) {
            if (count < replicas) {
                throw StoreException.unavailable(
                        "Redis has carried out %s, but only %d of %d replicas confirmed it within %d ms: it is unknown whether a failover would keep it. Check the replicas, or lower wait-replicas."
                                .formatted(doing, count, replicas, patienceMillis()));
            }
        }
    }

    private long patienceMillis() {
        return Math.max(1, timeout.toMillis() / 2);
    }

    private static RedisClusterAsyncCommands<String, byte[]> commands(StatefulConnection<String, byte[]> connection) {
        return ((StatefulRedisConnection<String, byte[]>) connection).async();
    }

    @Override
    public Durability durability() {
        return Durability.REPLICAS;
    }

    @Override
    public void close() {
        all.forEach(RedisConnections::close);
    }
}
