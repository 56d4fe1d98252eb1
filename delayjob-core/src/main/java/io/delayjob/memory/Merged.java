package io.delayjob.memory;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges iterators that all have the same order. The merged iterator reads one element ahead from each of these
 * iterators. Not thread-safe.
 */
final class Merged<T> implements Iterator<T> {

    private record Head<T>(T first, Iterator<T> rest) {}

    private final PriorityQueue<Head<T>> heads;

    Merged(List<Iterator<T>> iterators, Comparator<? super T> order) {
        heads = new PriorityQueue<>(Comparator.comparing(Head::first, order));
        iterators.forEach(this::add);
    }

    private void add(Iterator<T> elements) {
        if (elements.hasNext()) {
            heads.add(new Head<>(elements.next(), elements));
        }
    }

    @Override
    public boolean hasNext() {
        return !heads.isEmpty();
    }

    @Override
    public T next() {
        Head<T> head = heads.remove();
        add(head.rest);
        return head.first;
    }
}
