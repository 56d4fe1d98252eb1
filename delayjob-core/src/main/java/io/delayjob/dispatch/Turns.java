package io.delayjob.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lanes in the order in which it is their turn. A lane keeps its turn until it was served, so however often others look in
 * vain, whoever has waited longest comes first. Guarded by the lock of {@link Lanes}.
 */
final class Turns {

    private final List<Lane> order = new ArrayList<>();

    void add(Lane lane) {
        order.add(lane);
    }

    /** Serves the first lane that has something to be served with; it is the last one from now on. */
    <T> @Nullable T next(Function<Lane, @Nullable T> serve) {
        for (int i = 0; i < order.size(); i++) {
            T served = serve.apply(order.get(i));
            if (served != null) {
                order.add(order.remove(i));
                return served;
            }
        }
        return null;
    }
}
