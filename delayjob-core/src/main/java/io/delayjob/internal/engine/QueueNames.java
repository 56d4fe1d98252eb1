package io.delayjob.internal.engine;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.AlikeNames;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.TooManyQueuesException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Contains the queues that configuration and handlers of this instance declare. Thread-safe. */
public final class QueueNames {

    private static final Logger log = LoggerFactory.getLogger(QueueNames.class);

    private static final int MOST_NAMED = 5;

    private final EngineSettings settings;
    private final HandlerRegistry handlers;

    public QueueNames(EngineSettings settings, HandlerRegistry handlers) {
        this.settings = settings;
        this.handlers = handlers;
    }

    public SortedSet<String> declared() {
        SortedSet<String> queues = new TreeSet<>(settings.queues().named().keySet());
        handlers.all().stream().map(Handler::queue).forEach(queues::add);
        return queues;
    }

    SortedSet<String> worked() {
        SortedSet<String> queues = new TreeSet<>();
        if (settings.worker()) {
            queues.addAll(declared());
            queues.removeIf(queue -> !settings.queue(queue).enabled());
        }
        return queues;
    }

    void checkNumber() {
        Set<String> queues = worked();
        if (queues.size() > settings.queues().max()) {
            throw new TooManyQueuesException(
                    "Invalid delayjob.max-queues %d: must be at least %d, the number of queues that handlers and delayjob.queues declare (%s)."
                            .formatted(settings.queues().max(), queues.size(), listed(queues)));
        }
    }

    void warnOfMismatches() {
        Map<String, String> handlerByQueue = new TreeMap<>(handlers.all().stream()
                .collect(Collectors.toMap(Handler::queue, Handler::name, (a, b) -> a.compareTo(b) < 0 ? a : b)));
        Set<String> configured = new TreeSet<>(settings.queues().named().keySet());
        boolean others = configured.stream().anyMatch(queue -> !queue.equals(Handler.DEFAULT_QUEUE));
        handlerByQueue.forEach((queue, handler) -> {
            if (others && !configured.contains(queue) && !queue.equals(Handler.DEFAULT_QUEUE)) {
                log.warn(
                        "Queue '{}' of handler '{}' is not configured, although other queues are "
                                + "configured. It gets the default of {} slots.{}",
                        queue,
                        handler,
                        settings.queue(queue).concurrency(),
                        mostAlike("configured", queue, configured));
            }
        });
        for (String queue : configured) {
            if (!handlerByQueue.containsKey(queue)
                    && !queue.equals(Handler.DEFAULT_QUEUE)
                    && settings.queue(queue).enabled()) {
                log.warn(
                        "Queue '{}' is configured, but no handler of this instance uses it. Its {} slots serve only "
                                + "jobs that callers send to it.{}",
                        queue,
                        settings.queue(queue).concurrency(),
                        mostAlike("declared", queue, handlerByQueue.keySet()));
            }
        }
    }

    private static String mostAlike(String kind, String queue, Collection<String> among) {
        return AlikeNames.of(queue, among, 1).stream()
                .map(alike -> " The most similar %s queue is '%s'.".formatted(kind, alike))
                .findFirst()
                .orElse("");
    }

    static String listed(Collection<String> queues) {
        String first = queues.stream()
                .limit(MOST_NAMED)
                .map(queue -> "'" + queue + "'")
                .collect(Collectors.joining(", "));
        return queues.size() > MOST_NAMED ? "%s and %d more".formatted(first, queues.size() - MOST_NAMED) : first;
    }
}
