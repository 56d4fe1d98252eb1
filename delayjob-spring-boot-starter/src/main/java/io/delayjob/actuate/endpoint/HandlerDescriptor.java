package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A handler. The fields are those of {@link Handler}; fields without a value are absent.
 *
 * @param schedule schedule by which it starts by itself, in the text form; absent if it does not
 * @param paused whether the handler or its queue is paused in the whole cluster
 */
record HandlerDescriptor(
        String name,
        Set<String> formerNames,
        String queue,
        boolean paused,
        @Nullable String method,
        Map<String, String> parameters,
        @Nullable String retry,
        Delivery delivery,
        @Nullable Duration timeout,
        @Nullable Duration maxSnooze,
        int priority,
        @Nullable Integer concurrency,
        @Nullable String schedule)
        implements OperationResponseBody {

    static HandlerDescriptor of(Handler handler, Pauses pauses, @Nullable String schedule) {
        HandlerMethod method = handler.method();
        RetryPolicy retry = handler.retry();
        Map<String, String> parameters = new LinkedHashMap<>();
        for (PayloadParameter parameter : handler.parameters()) {
            parameters.put(parameter.name(), parameter.type().getTypeName());
        }
        return new HandlerDescriptor(
                handler.name(),
                new TreeSet<>(handler.formerNames()),
                handler.queue(),
                pauses.hold(handler),
                method == null ? null : method.type().getName() + "." + method.name(),
                parameters,
                retry == null ? null : retry.toString(),
                handler.delivery(),
                handler.timeout(),
                handler.maxSnooze(),
                handler.priority(),
                handler.concurrency() == Integer.MAX_VALUE ? null : handler.concurrency(),
                schedule);
    }
}
