package io.delayjob.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The newest elements of a sequence, the number of which is bounded. Elements are numbered from 1. Thread-safe. */
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

    /** Number of the newest element; 0 before the first. */
    synchronized long last() {
        return last;
    }

    /** The elements that come after this number and have not been overwritten, at most {@code max} of the newest, oldest first. */
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
