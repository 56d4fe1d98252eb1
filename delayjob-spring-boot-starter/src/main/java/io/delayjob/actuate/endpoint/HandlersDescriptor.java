package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.DueRow;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The handlers of this instance.
 *
 * @param handlers the handlers
 * @param elsewhere names of handlers that only other instances have
 * @param paused handlers and queues that are paused in the whole cluster, including those without a handler on this
 *     instance
 * @param dueWithoutHandler names without a handler on this instance, with the number of their jobs among the first due
 *     ones of each partition
 */
record HandlersDescriptor(
        List<HandlerDescriptor> handlers,
        Set<String> elsewhere,
        PausedDescriptor paused,
        Map<String, Long> dueWithoutHandler)
        implements OperationResponseBody {

    static HandlersDescriptor of(HandlerRegistry registry, Set<Set<String>> anywhere, Pauses pauses, List<DueRow> due) {
        List<HandlerDescriptor> handlers = registry.all().stream()
                .sorted(Comparator.comparing(Handler::name))
                .map(handler -> HandlerDescriptor.of(handler, pauses))
                .toList();
        Set<String> elsewhere = anywhere.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
        elsewhere.removeAll(registry.names());
        Map<String, Long> unknown = due.stream()
                .map(DueRow::name)
                .filter(name -> registry.find(name) == null)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return new HandlersDescriptor(handlers, elsewhere, PausedDescriptor.of(pauses.paused()), unknown);
    }
}
