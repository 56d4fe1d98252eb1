package io.delayjob.actuate.endpoint;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.KeyRule;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A handler, with the same fields as {@link Handler}. Fields without a value are absent.
 *
 * @param scope absent if the concurrency applies to each instance
 * @param instances numbers of the instances that run the handler under any name; at most {@value #MAX_INSTANCES}
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
        @Nullable Duration expiresAfter,
        @Nullable Duration keepFor,
        int priority,
        @Nullable Integer concurrency,
        @Nullable ConcurrencyScope scope,
        @Nullable String rate,
        @Nullable Boolean rateBy,
        @Nullable Boolean mutex,
        @Nullable Boolean fairBy,
        @Nullable String schedule,
        List<Long> instances)
        implements OperationResponseBody {

    static final int MAX_INSTANCES = 100;

    /**
     * @param anywhere the handlers of all instances, by the instance's number. Each handler is given as the set of its
     *     names
     */
    static HandlerDescriptor of(
            Handler handler, Pauses pauses, @Nullable String schedule, Map<Long, Set<Set<String>>> anywhere) {
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
                handler.expiresAfter(),
                handler.keepFor(),
                handler.priority(),
                handler.concurrency() == Integer.MAX_VALUE ? null : handler.concurrency(),
                handler.scope() == ConcurrencyScope.INSTANCE ? null : handler.scope(),
                handler.rate() == null ? null : handler.rate().toString(),
                isStated(handler.rateBy()),
                isStated(handler.mutex()),
                isStated(handler.fairBy()),
                schedule,
                anywhere.entrySet().stream()
                        .filter(instance -> instance.getValue().stream()
                                .anyMatch(names -> names.contains(handler.name())
                                        || !Collections.disjoint(names, handler.formerNames())))
                        .map(Map.Entry::getKey)
                        .sorted()
                        .limit(MAX_INSTANCES)
                        .toList());
    }

    /** Tells only whether a rule is stated, because a rule is code and has no text. */
    private static @Nullable Boolean isStated(@Nullable KeyRule rule) {
        return rule == null ? null : Boolean.TRUE;
    }
}
