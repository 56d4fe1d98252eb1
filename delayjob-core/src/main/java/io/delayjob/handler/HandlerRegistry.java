package io.delayjob.handler;

import io.delayjob.schedule.Stated;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Contains the handlers of this instance, by name and by method. Handlers may be added even after the engine has
 * started. Thread-safe.
 */
public final class HandlerRegistry {

    private final Map<String, Handler> byName = new ConcurrentHashMap<>();
    private final List<Handler> handlers = new CopyOnWriteArrayList<>();
    private final Map<String, String> otherStores = new ConcurrentHashMap<>();

    /** Adds a handler under its name and its former names. */
    public void register(Handler handler) {
        Stated.notNull(handler, "handler", "must be built with Handler.named(…)");
        claim(handler.name(), handler);
        handler.formerNames().forEach(former -> claim(former, handler));
        handlers.add(handler);
    }

    /** Remembers that the jobs of a handler belong to another store of the same application. */
    public void exclude(Handler handler, String otherStore) {
        handler.names().forEach(name -> otherStores.put(name, otherStore));
    }

    /** Returns the other store to which jobs of this name belong; {@code null} if the jobs may be in this store. */
    public @Nullable String otherStore(String name) {
        return otherStores.get(name);
    }

    private void claim(String name, Handler handler) {
        Handler other = byName.putIfAbsent(name, handler);
        if (other != null) {
            throw new IllegalStateException(
                    "Two handlers have the name '%s': %s and %s. A stored job finds its handler by name, so give one handler another name. If stored jobs of that handler must still run, put '%s' into its formerNames."
                            .formatted(name, place(other), place(handler), name));
        }
    }

    private static String place(Handler handler) {
        return handler.method() == null
                ? "'" + handler.name() + "'"
                : handler.method().toString();
    }

    /** Returns the handler that has this present or former name. */
    public @Nullable Handler find(String name) {
        return byName.get(name);
    }

    /**
     * Returns the handler that a method reference means. The search ends at the first of these places that has a
     * matching handler:
     * <ol>
     * <li>the class that is named in the reference
     * <li>the superclasses and interfaces of this class, beginning with the nearest
     * <li>all subclasses of this class
     * </ol>
     * The reference can also name a more general method, such as a method of a generic type. A handler then matches if
     * its method implements the general method.
     *
     * @throws IllegalArgumentException if several handlers match at the place where the search ends
     */
    public Optional<Handler> find(HandlerMethod reference) {
        List<Handler> related = handlers.stream()
                .filter(handler -> handler.method() != null && handler.method().isReachedBy(reference))
                .toList();
        List<Handler> above = related.stream()
                .filter(handler -> type(handler).isAssignableFrom(reference.type()))
                .toList();
        List<Handler> candidates = above.isEmpty() ? related : nearest(above);
        if (candidates.size() > 1) {
            throw new IllegalArgumentException(
                    "Ambiguous handler reference %s: it may mean %s. Name the exact class, or give the handler's name instead."
                            .formatted(
                                    reference,
                                    candidates.stream()
                                            .map(handler -> "'%s' (%s)".formatted(handler.name(), handler.method()))
                                            .collect(Collectors.joining(" and "))));
        }
        return candidates.stream().findFirst();
    }

    private static List<Handler> nearest(List<Handler> above) {
        return above.stream()
                .filter(handler -> above.stream()
                        .noneMatch(other ->
                                type(other) != type(handler) && type(handler).isAssignableFrom(type(other))))
                .toList();
    }

    private static Class<?> type(Handler handler) {
        return Objects.requireNonNull(handler.method()).type();
    }

    /** Returns all handlers. */
    public Collection<Handler> all() {
        return List.copyOf(handlers);
    }

    /** Returns, for each handler, the set of {@linkplain Handler#names() all its names}. */
    public Set<Set<String>> allNames() {
        return handlers.stream().map(Handler::names).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns all present and former names of the handlers, sorted. */
    public Set<String> names() {
        return new TreeSet<>(byName.keySet());
    }
}
