package io.delayjob.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The newest elements of a sequence, numbered from 1. Thread-safe. */
final class Ring<E> {

    private final @Nullable Object[] elements;
    private long last;

    Ring(int size) {
        this.elements = new @Nullable Object[size];
    }

    synchronized void add(E element) {
        elements[(int) (last % elements.length)] = element;
        last++;
    }

    synchronized long last() {
        return last;
    }

    /**
     * Returns the elements after {@code number}, up to {@code until}, that are still in the ring; at most the newest
     * {@code max}. The oldest comes first.
     */
    @SuppressWarnings("unchecked")
    synchronized List<E> between(long number, long until, int max) {
        long end = Math.min(until, last);
        long first = Math.max(Math.max(number, 0), Math.max(end - max, last - elements.length));
        List<E> found = new ArrayList<>();
        for (long each = first; each < end; each++) {
            found.add((E) Objects.requireNonNull(elements[(int) (each % elements.length)]));
        }
        return found;
    }
}
