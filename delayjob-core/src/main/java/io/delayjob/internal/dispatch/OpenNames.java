package io.delayjob.internal.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import io.delayjob.settings.EngineSettings;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells which handlers and queues are open. Thread-safe. */
final class OpenNames {

    private static final Logger log = LoggerFactory.getLogger(OpenNames.class);

    /** Maximum number of unknown names that are logged. */
    private static final int MAX_MENTIONED = 1_000;

    private final HandlerRegistry handlers;
    private final EngineSettings settings;
    private final Set<String> unknownNames = ConcurrentHashMap.newKeySet();
    private volatile Paused paused = Paused.NOTHING;
    private volatile boolean closed;

    OpenNames(HandlerRegistry handlers, EngineSettings settings) {
        this.handlers = handlers;
        this.settings = settings;
    }

    void follow(Paused pauses) {
        paused = pauses;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    @Nullable
    Handler handler(String name) {
        Handler handler = closed ? null : handlers.find(name);
        return handler == null || isPaused(handler) ? null : handler;
    }

    boolean hasQueue(String queue) {
        return settings.queue(queue).enabled() && !paused.holdsQueue(queue);
    }

    /** Tells whether the configuration or a handler names the queue. */
    boolean isDeclared(String queue) {
        return settings.queues().named().containsKey(queue)
                || handlers.all().stream().anyMatch(handler -> handler.queue().equals(queue));
    }

    int slotsOf(String queue) {
        return settings.queue(queue).concurrency();
    }

    /**
     * If any name of the handler is paused, the handler is paused. Another version of the application may use a former
     * name.
     */
    boolean isPaused(Handler handler) {
        return !paused.isEmpty() && paused.holdsHandler(handler.names());
    }

    void mentionIfUnknown(String name) {
        if (handlers.find(name) == null && unknownNames.size() < MAX_MENTIONED && unknownNames.add(name)) {
            log.warn(
                    "The job store holds jobs named '{}', but this instance has no handler of that name. The jobs "
                            + "wait until an instance with such a handler starts. If a handler was renamed, add the "
                            + "old name to its formerNames.",
                    Printable.of(name));
        }
    }
}
