package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends commands to a server or a cluster. All threads share one connection. Every wait for an answer has a time limit.
 * No command is sent a second time. Thread-safe.
 */
final class RedisLink implements AutoCloseable {

    /** Maximum number of commands of one call that wait for answers at the same time. */
    static final int MAX_UNDER_WAY = 1_000;

    private final RedisConnections connections;
    private final Duration timeout;

    record Answer<T>(RedisConnections.Opened connection, CompletableFuture<T> future) {}

    RedisLink(RedisConnections connections, Duration timeout) {
        this.connections = connections;
        this.timeout = timeout;
    }

    <T> T ask(String doing, Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> command) {
        return await(doing, send(command));
    }

    <E, T> List<T> askAll(String doing, List<E> elements, Command<E, T> command) {
        List<T> answers = new ArrayList<>(elements.size());
        for (int from = 0; from < elements.size(); from += MAX_UNDER_WAY) {
            List<Answer<T>> sent = new ArrayList<>();
            for (E element : elements.subList(from, Math.min(elements.size(), from + MAX_UNDER_WAY))) {
                sent.add(send(redis -> command.send(redis, element)));
            }
            sent.forEach(answer -> answers.add(await(doing, answer)));
        }
        return answers;
    }

    interface Command<E, T> {
        CompletionStage<T> send(RedisClusterAsyncCommands<String, byte[]> redis, E element);
    }

    /** If the server does not know the script, for example after a restart, the method sends the text of the script. */
    Answer<List<Object>> run(LuaScript script, List<String> keys, List<byte[]> arguments) {
        String[] keyArray = keys.toArray(String[]::new);
        byte[][] values = arguments.toArray(byte[][]::new);
        Answer<List<Object>> first =
                send(redis -> redis.evalsha(script.digest(), ScriptOutputType.MULTI, keyArray, values));
        RedisClusterAsyncCommands<String, byte[]> redis = first.connection.commands();
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        follow(first.future, answer, error -> {
            if (isUnknownScript(error) && !answer.isDone()) {
                RedisFuture<List<Object>> second = redis.eval(script.text(), ScriptOutputType.MULTI, keyArray, values);
                follow(second.toCompletableFuture(), answer, answer::completeExceptionally);
            } else {
                answer.completeExceptionally(error);
            }
        });
        return new Answer<>(first.connection, answer);
    }

    private static <T> void follow(
            CompletableFuture<T> command, CompletableFuture<T> answer, Consumer<Throwable> failed) {
        command.whenComplete((value, error) -> {
            if (error == null) {
                answer.complete(value);
            } else {
                failed.accept(error);
            }
        });
        answer.whenComplete((value, error) -> command.cancel(true));
    }

    private static boolean isUnknownScript(Throwable error) {
        return error instanceof RedisNoScriptException;
    }

    <T> Answer<T> send(Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> command) {
        RedisConnections.Opened connection = connections.get();
        try {
            return new Answer<>(connection, command.apply(connection.commands()).toCompletableFuture());
        } catch (RuntimeException refused) {
            return new Answer<>(connection, CompletableFuture.failedFuture(refused));
        }
    }

    /** If the wait takes too long, the command is cancelled, unless it was already sent. */
    <T> T await(String doing, Answer<T> answer) {
        try {
            return answer.future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.future.cancel(true);
            connections.giveUp(answer.connection);
            throw StoreException.unavailable(
                    "Redis did not answer within %d ms while %s: it is unknown whether the call was carried out."
                            .formatted(timeout.toMillis(), doing),
                    late);
        } catch (InterruptedException interrupted) {
            answer.future.cancel(true);
            Thread.currentThread().interrupt();
            throw StoreException.unavailable(
                    "The thread was interrupted while %s: it is unknown whether the call was carried out."
                            .formatted(doing),
                    interrupted);
        } catch (ExecutionException | RuntimeException failed) {
            if (failed.getCause() instanceof RedisReadOnlyException) {
                connections.giveUpSoon(answer.connection);
            }
            throw RedisErrors.translate(doing, failed);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
