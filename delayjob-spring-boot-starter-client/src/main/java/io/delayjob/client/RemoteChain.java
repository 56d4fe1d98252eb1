package io.delayjob.client;

import io.delayjob.ChainSpec;
import io.delayjob.CheckReturnValue;
import io.delayjob.MethodReference;
import io.delayjob.job.ChainStep;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A chain that is scheduled by one request. The server checks all values. Immutable.
 *
 * @param followers the fields of the following jobs, in their order
 */
@CheckReturnValue
record RemoteChain(RemoteRequest first, List<Map<String, Object>> followers, RemoteSubmissions submissions)
        implements ChainSpec.Named {

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
        throw new IllegalArgumentException(
                ("Invalid method reference in the chain of job '%s': must be a name, because the handlers are in the "
                                + "server; pass the name of the handler or target.")
                        .formatted(first.text("name")));
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        Stated.notNull(name, "job name", "must be the name of a handler or target of the server");
        Map<String, Object> follower =
                when == ChainStep.When.FINISHED ? Map.of("name", name) : Map.of("name", name, "always", true);
        return new RemoteChain(
                first, Stream.concat(followers.stream(), Stream.of(follower)).toList(), submissions);
    }

    @Override
    public ChainSpec with(Map<String, ? extends @Nullable Object> arguments) {
        Stated.notNull(arguments, "map of arguments", "must hold the arguments by name; use an empty map for none");
        List<Map<String, Object>> changed = new ArrayList<>(followers);
        Map<String, Object> last = new LinkedHashMap<>(changed.remove(changed.size() - 1));
        last.put("arguments", new LinkedHashMap<>(arguments));
        changed.add(last);
        return new RemoteChain(first, List.copyOf(changed), submissions);
    }

    @Override
    public ScheduledChain now() {
        return send(first);
    }

    @Override
    public ScheduledChain startAfter(Duration delay) {
        return send(first.after(delay));
    }

    @Override
    public ScheduledChain startAt(Instant instant) {
        return send(first.at(instant));
    }

    @Override
    public ScheduledChain repeatFirst(Repeat schedule) {
        return send(first.repeat(schedule));
    }

    private ScheduledChain send(RemoteRequest request) {
        return submissions.send(request.with("then", followers));
    }
}
