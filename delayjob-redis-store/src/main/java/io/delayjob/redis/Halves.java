package io.delayjob.redis;

import io.delayjob.store.StoreException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does the same work for many elements at once. If the work fails, each half is tried, then each quarter, and so on.
 * Therefore an element that fails does not stop the work for other elements. The work may be done more than once for an
 * element. Not thread-safe.
 */
final class Halves {

    private @Nullable RuntimeException first;

    /** @throws StoreException if the work would now fail for every element */
    <E> void run(List<E> elements, Consumer<List<E>> work) {
        try {
            work.accept(elements);
        } catch (RuntimeException failed) {
            if (failed instanceof StoreException said && said.isTransient()) {
                throw failed;
            }
            if (elements.size() > 1) {
                run(elements.subList(0, elements.size() / 2), work);
                run(elements.subList(elements.size() / 2, elements.size()), work);
            } else if (first == null) {
                first = failed;
            }
        }
    }

    void end() {
        if (first != null) {
            throw first;
        }
    }
}
