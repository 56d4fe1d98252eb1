package io.delayjob.handler;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of this instance, by name and by method. Filled before the engine starts; thread-safe, so that a late
 * addition does no harm.
 */
public final class HandlerRegistry {

    private final Map<String, Handler> byName = new ConcurrentHashMap<>();
    private final List<Handler> handlers = new CopyOnWriteArrayList<>();

    /** Adds a handler under its name and its former names. */
    public void register(Handler handler) {
        claim(handler.name(), handler);
        handler.formerNames().forEach(former -> claim(former, handler));
        handlers.add(handler);
    }

    private void claim(String name, Handler handler) {
        Handler other = byName.putIfAbsent(name, handler);
        if (other != null) {
            throw new IllegalStateException(
                    "Two handlers have the name '%s': %s and %s. A stored job finds its handler by name, so give one of them another name (and put '%s' into its formerNames if its stored jobs are to follow)."
                            .formatted(name, place(other), place(handler), name));
        }
    }

    private static String place(Handler handler) {
        return handler.method() == null
                ? "'" + handler.name() + "'"
                : handler.method().toString();
    }

    /** The handler of jobs stored under this name, present or former. */
    public @Nullable Handler find(String name) {
        return byName.get(name);
    }

    /**
     * The handler behind a method reference: that method of that class, or of the nearest class between it and the one
     * that declares it.
     */
    public Optional<Handler> find(HandlerMethod reference) {
        Handler best = null;
        for (Handler handler : handlers) {
            HandlerMethod method = handler.method();
            if (method != null
                    && method.name().equals(reference.name())
                    && method.descriptor().equals(reference.descriptor())) {
                if (method.type() == reference.type()) {
                    return Optional.of(handler);
                }
                if (method.type().isAssignableFrom(reference.type())
                        || reference.type().isAssignableFrom(method.type())) {
                    best = handler;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** All handlers. */
    public Collection<Handler> all() {
        return List.copyOf(handlers);
    }

    /** Every name under which a job would find a handler here. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }
}
