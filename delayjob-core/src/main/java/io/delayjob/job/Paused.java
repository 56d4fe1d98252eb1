package io.delayjob.job;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The names of paused handlers and queues, each in alphabetical order. No instance starts jobs of a paused handler or
 * queue. Immutable.
 */
public record Paused(Set<String> handlers, Set<String> queues) {

    /**
     * The start value of the 64-bit FNV-1a hash. The register of instances stores such hashes, so the value must not
     * change.
     */
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;

    private static final long FNV_PRIME = 0x100000001b3L;

    /** The value if nothing is paused. */
    public static final Paused NOTHING = new Paused(Set.of(), Set.of());

    public Paused {
        handlers = Collections.unmodifiableSortedSet(new TreeSet<>(handlers));
        queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
    }

    /** Returns a {@code Paused} that contains only these handlers. */
    public static Paused handlers(Collection<String> names) {
        return new Paused(Set.copyOf(names), Set.of());
    }

    /** Returns a {@code Paused} that contains only this queue. */
    public static Paused queue(String name) {
        return new Paused(Set.of(), Set.of(name));
    }

    /** Returns these pauses together with the given pauses. */
    public Paused and(Paused more) {
        return new Paused(union(handlers, more.handlers), union(queues, more.queues));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    /** Returns these pauses without the given pauses. */
    public Paused without(Paused others) {
        return new Paused(difference(handlers, others.handlers), difference(queues, others.queues));
    }

    private static Set<String> difference(Set<String> some, Set<String> others) {
        Set<String> rest = new TreeSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    /**
     * Returns a hash of the pauses, which is the same in every process and version; 0 if nothing is paused. An instance
     * writes the hash to the register to confirm that it follows these pauses.
     */
    public long fingerprint() {
        if (isEmpty()) {
            return 0;
        }
        long hash = FNV_OFFSET;
        for (String line : (Iterable<String>) Stream.concat(
                handlers.stream().map(name -> "handler " + name + "\n"),
                queues.stream().map(name -> "queue " + name + "\n"))::iterator) {
            for (byte each : line.getBytes(StandardCharsets.UTF_8)) {
                hash = (hash ^ (each & 0xff)) * FNV_PRIME;
            }
        }
        return hash;
    }

    /** Returns {@code true} if no handler and no queue is paused. */
    public boolean isEmpty() {
        return handlers.isEmpty() && queues.isEmpty();
    }

    /** Tells whether this queue is paused. */
    public boolean holdsQueue(String queue) {
        return queues.contains(queue);
    }

    /** Tells whether a handler is paused under one of these names. The names are its present and former names. */
    public boolean holdsHandler(Collection<String> names) {
        return names.stream().anyMatch(handlers::contains);
    }
}
