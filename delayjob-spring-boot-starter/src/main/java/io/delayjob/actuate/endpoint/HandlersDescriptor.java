package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.Job;
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
 * @param dueWithoutHandler names that are no handler's here, with the number of their jobs among the first due ones
 */
record HandlersDescriptor(List<HandlerDescriptor> handlers, Map<String, Long> dueWithoutHandler)
        implements OperationResponseBody {

    static HandlersDescriptor of(HandlerRegistry registry, JobPage due) {
        List<HandlerDescriptor> handlers = registry.all().stream()
                .sorted(Comparator.comparing(Handler::name))
                .map(HandlerDescriptor::of)
                .toList();
        Map<String, Long> unknown = due.stream()
                .map(Job::name)
                .filter(name -> registry.find(name) == null)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return new HandlersDescriptor(handlers, unknown);
    }

    /** A handler; the fields are those of {@link Handler}, unstated ones left out. */
    record HandlerDescriptor(
            String name,
            Set<String> formerNames,
            String queue,
            @Nullable String method,
            Map<String, String> parameters,
            @Nullable String retry,
            Delivery delivery,
            @Nullable Duration timeout,
            @Nullable Integer concurrency) {

        static HandlerDescriptor of(Handler handler) {
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
                    method == null ? null : method.type().getName() + "." + method.name(),
                    parameters,
                    retry == null ? null : retry.toString(),
                    handler.delivery(),
                    handler.timeout(),
                    handler.concurrency() == Integer.MAX_VALUE ? null : handler.concurrency());
        }
    }
}
