package io.delayjob.redis;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server or a cluster. All threads share it: their commands go out one behind the other, without
 * waiting for answers. Every wait for an answer has a limit. Thread-safe.
 */
final class RedisLink implements AutoCloseable {

    /** Maximum number of commands of one call that are under way at the same time. */
    static final int MAX_UNDER_WAY = 1_000;

    private final StatefulConnection<String, byte[]> connection;
    private final RedisClusterAsyncCommands<String, byte[]> commands;
    private final Duration timeout;

    RedisLink(
            StatefulConnection<String, byte[]> connection,
            RedisClusterAsyncCommands<String, byte[]> commands,
            Duration timeout) {
        this.connection = connection;
        this.commands = commands;
        this.timeout = timeout;
    }

    /** Sends one command and returns its answer. */
    <T> T ask(String doing, Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> command) {
        return await(doing, send(command));
    }

    /** Sends a command for each element, some at a time, and returns the answers in order. */
    <E, T> List<T> askAll(String doing, List<E> elements, Command<E, T> command) {
        List<T> answers = new ArrayList<>(elements.size());
        for (int from = 0; from < elements.size(); from += MAX_UNDER_WAY) {
            List<CompletionStage<T>> sent = new ArrayList<>();
            for (E element : elements.subList(from, Math.min(elements.size(), from + MAX_UNDER_WAY))) {
                sent.add(send(redis -> command.send(redis, element)));
            }
            sent.forEach(answer -> answers.add(await(doing, answer)));
        }
        return answers;
    }

    /** A command about an element. */
    interface Command<E, T> {
        CompletionStage<T> send(RedisClusterAsyncCommands<String, byte[]> redis, E element);
    }

    /** Sends a script. If the server does not know it, such as after a restart, it gets the whole text. */
    CompletionStage<List<Object>> run(LuaScript script, List<String> keys, List<byte[]> arguments) {
        String[] keyArray = keys.toArray(String[]::new);
        byte[][] values = arguments.toArray(byte[][]::new);
        RedisFuture<List<Object>> first = commands.evalsha(script.digest(), ScriptOutputType.MULTI, keyArray, values);
        return first.handle((answer, error) -> isUnknownScript(error)
                        ? (CompletionStage<List<Object>>)
                                commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keyArray, values)
                        : first)
                .thenCompose(stage -> stage);
    }

    private static boolean isUnknownScript(@Nullable Throwable error) {
        return error instanceof RedisNoScriptException;
    }

    private <T> CompletionStage<T> send(
            Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> command) {
        try {
            return command.apply(commands);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Waits for an answer. */
    <T> T await(String doing, CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw StoreException.unavailable(
                    "Redis did not answer within %d ms while %s: it is unknown whether the call was carried out."
                            .formatted(timeout.toMillis(), doing),
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable(
                    "The thread was interrupted while %s: it is unknown whether the call was carried out."
                            .formatted(doing),
                    interrupted);
        } catch (ExecutionException | RuntimeException failed) {
            throw RedisErrors.translate(doing, failed);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
