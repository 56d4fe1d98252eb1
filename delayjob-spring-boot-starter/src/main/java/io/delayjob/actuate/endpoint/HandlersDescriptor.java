package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.DueRow;
import io.delayjob.store.Precision;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The handlers of this instance.
 *
 * @param elsewhere names of handlers that run only on other instances
 * @param waiting number of unfinished jobs by handler name, at most ten seconds old
 * @param countedAt time of the count for {@code waiting}, in store time
 * @param unhandled handler names that waiting jobs have, but no registered instance has
 * @param dueWithoutHandler number of due jobs by name, for names without a handler on this instance. Only the first due
 *     jobs of each partition are counted
 */
record HandlersDescriptor(
        List<HandlerDescriptor> handlers,
        Set<String> elsewhere,
        PausedDescriptor paused,
        Map<String, WaitingJobs.Count> waiting,
        Instant countedAt,
        List<UnhandledDescriptor> unhandled,
        Map<String, Long> dueWithoutHandler)
        implements OperationResponseBody {

    record UnhandledDescriptor(
            String name,
            long jobs,
            Precision precision,
            @Nullable Instant oldestDue) {}

    static HandlersDescriptor of(
            HandlerRegistry registry,
            Map<Long, Set<Set<String>>> anywhere,
            Pauses pauses,
            PausedDescriptor paused,
            List<DueRow> due,
            WaitingJobs.Waiting waiting) {
        List<HandlerDescriptor> handlers = registry.all().stream()
                .sorted(Comparator.comparing(Handler::name))
                .map(handler -> HandlerDescriptor.of(
                        handler, pauses, waiting.schedules().get(handler.name()), anywhere))
                .toList();
        Set<String> elsewhere = anywhere.values().stream()
                .flatMap(Set::stream)
                .flatMap(Set::stream)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> handled = Set.copyOf(elsewhere);
        elsewhere.removeAll(registry.names());
        Map<String, Long> unknown = due.stream()
                .map(DueRow::name)
                .filter(name -> registry.find(name) == null)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return new HandlersDescriptor(
                handlers,
                elsewhere,
                paused,
                waiting.counts(),
                waiting.at(),
                unhandled(waiting, name -> handled.contains(name) || registry.find(name) != null, due),
                unknown);
    }

    private static List<UnhandledDescriptor> unhandled(
            WaitingJobs.Waiting waiting, Predicate<String> handled, List<DueRow> due) {
        Map<String, Long> oldest = due.stream().collect(Collectors.toMap(DueRow::name, DueRow::dueMillis, Math::min));
        return waiting.counts().entrySet().stream()
                .filter(each -> !handled.test(each.getKey()))
                .map(each -> {
                    Long first = oldest.get(each.getKey());
                    return new UnhandledDescriptor(
                            each.getKey(),
                            each.getValue().count(),
                            each.getValue().precision(),
                            first == null ? null : Instant.ofEpochMilli(first));
                })
                .toList();
    }
}
