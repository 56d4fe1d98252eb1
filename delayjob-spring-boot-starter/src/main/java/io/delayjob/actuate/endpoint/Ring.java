package io.delayjob.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The newest elements of a sequence, up to a maximum number. Elements are numbered from 1. Thread-safe. */
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

    /** Returns the number of the newest element; 0 before the first. */
    synchronized long last() {
        return last;
    }

    /** Returns the newest elements after this number that are still kept, at most {@code max}, oldest first. */
    @SuppressWarnings("unchecked")
    synchronized List<E> after(long number, int max) {
        long first = Math.max(number, last - Math.min(max, elements.length));
        List<E> found = new ArrayList<>();
        for (long each = Math.max(0, first); each < last; each++) {
            found.add((E) Objects.requireNonNull(elements[(int) (each % elements.length)]));
        }
        return found;
    }
}
