package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
import io.delayjob.job.Paused;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobPage;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The handlers of this instance.
 *
 * @param handlers the handlers
 * @param paused handlers and queues that are paused in the whole cluster, whether there is a handler of theirs here or not
 * @param dueWithoutHandler names that are no handler's here, with the number of their jobs among the first due ones
 */
record HandlersDescriptor(
        List<HandlerDescriptor> handlers, PausedDescriptor paused, Map<String, Long> dueWithoutHandler)
        implements OperationResponseBody {

    static HandlersDescriptor of(HandlerRegistry registry, Paused paused, JobPage due) {
        List<HandlerDescriptor> handlers = registry.all().stream()
                .sorted(Comparator.comparing(Handler::name))
                .map(handler -> HandlerDescriptor.of(handler, paused))
                .toList();
        Map<String, Long> unknown = due.stream()
                .map(Job::name)
                .filter(name -> registry.find(name) == null)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return new HandlersDescriptor(handlers, PausedDescriptor.of(paused), unknown);
    }

    /**
     * A handler; the fields are those of {@link Handler}, unstated ones left out.
     *
     * @param paused whether it, or its queue, is paused in the whole cluster
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
            @Nullable Integer concurrency) {

        static HandlerDescriptor of(Handler handler, Paused paused) {
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
                    paused.holdsHandler(handler.names()) || paused.holdsQueue(handler.queue()),
                    method == null ? null : method.type().getName() + "." + method.name(),
                    parameters,
                    retry == null ? null : retry.toString(),
                    handler.delivery(),
                    handler.timeout(),
                    handler.maxSnooze(),
                    handler.priority(),
                    handler.concurrency() == Integer.MAX_VALUE ? null : handler.concurrency());
        }
    }
}
