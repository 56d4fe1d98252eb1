package io.delayjob.job;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Handlers and queues that are paused, by their names: no instance starts a job of theirs until somebody resumes them.
 * Immutable.
 *
 * @param handlers names of handlers, in their order
 * @param queues names of queues, in their order
 */
public record Paused(Set<String> handlers, Set<String> queues) {

    /** Nothing is paused. */
    public static final Paused NOTHING = new Paused(Set.of(), Set.of());

    public Paused {
        handlers = Collections.unmodifiableSortedSet(new TreeSet<>(handlers));
        queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
    }

    /** Handlers by their names. */
    public static Paused handlers(Collection<String> names) {
        return new Paused(Set.copyOf(names), Set.of());
    }

    /** One queue by its name. */
    public static Paused queue(String name) {
        return new Paused(Set.of(), Set.of(name));
    }

    /** Whether nothing is paused. */
    public boolean isEmpty() {
        return handlers.isEmpty() && queues.isEmpty();
    }

    /** Whether this queue is paused. */
    public boolean holdsQueue(String queue) {
        return queues.contains(queue);
    }

    /** Whether one of these names of a handler, present or former, is paused. */
    public boolean holdsHandler(Collection<String> names) {
        return names.stream().anyMatch(handlers::contains);
    }
}
