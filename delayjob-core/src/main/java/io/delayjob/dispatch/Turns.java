package io.delayjob.dispatch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who compete for something, in the order in which it is their turn: by start-time fair queueing. Each has a
 * place in a time of their own, which passes as they are served; being served moves it back, the less the higher its
 * priority is, and who has had nothing to be served with for a while stands at the present.
 *
 * <pre>
 *   priority 10   a . a . a . a .        priority 20   a a . a a . a a .
 *   priority 10   . b . b . b . b        priority 10   . . b . . b . . b
 * </pre>
 *
 * <p>So whoever has something to be served with is served again and again, whatever the others' priorities; and whoever
 * stands in front keeps its place until it was served, however often others look in vain.
 *
 * <p>Idle competitors are not looked at: they leave the order when their turn comes, and keep their place until they
 * {@linkplain #join join} again. So a turn costs as much as there are competitors with something to be served with,
 * whatever the number of all.
 *
 * <p>Guarded by the lock of {@link Lanes}.
 */
final class Turns<T> {

    /** How far back being served moves one of priority 1: divisible, but for a rounding that nobody notices. */
    private static final long STRIDE = 1L << 32;

    /** Far from where a place would overflow, which some would reach in hours: then all places begin at zero again. */
    private static final long FARTHEST = 1L << 60;

    private final Predicate<T> isIdle;
    private final Map<T, Turn<T>> all = new HashMap<>();
    private final List<Turn<T>> order = new ArrayList<>();
    private long present;

    /** @param isIdle whether a competitor has nothing to be served with */
    Turns(Predicate<T> isIdle) {
        this(isIdle, 0);
    }

    /** @param present where everybody begins */
    Turns(Predicate<T> isIdle, long present) {
        this.isIdle = isIdle;
        this.present = present;
    }

    private static final class Turn<T> {
        private final T whose;
        private final long stride;
        private long place;
        private boolean isInOrder;

        Turn(T whose, int priority, long place) {
            this.whose = whose;
            this.stride = STRIDE / priority;
            this.place = place;
        }
    }

    /** Adds a competitor, who is idle. */
    void add(T newcomer, int priority) {
        all.put(newcomer, new Turn<>(newcomer, priority, present));
    }

    /** This competitor has something to be served with. */
    void join(T competitor) {
        Turn<T> turn = all.get(competitor);
        if (turn != null && !turn.isInOrder) {
            insert(turn);
        }
    }

    /** Whether all are idle, as far as is known. */
    boolean isEmpty() {
        return order.isEmpty();
    }

    /** Serves the first that has something to be served with. */
    <R> @Nullable R next(Function<T, @Nullable R> serve) {
        for (int i = 0; i < order.size(); i++) {
            Turn<T> turn = order.get(i);
            if (isIdle.test(turn.whose)) {
                leave(i--);
                continue;
            }
            R served = serve.apply(turn.whose);
            if (served != null) {
                leave(i);
                present = Math.max(present, turn.place);
                turn.place = present + turn.stride;
                insert(turn);
                if (present > FARTHEST) {
                    startOver();
                }
                return served;
            }
        }
        return null;
    }

    private void leave(int index) {
        order.remove(index).isInOrder = false;
    }

    private void startOver() {
        all.values().forEach(turn -> turn.place = Math.max(0, turn.place - present));
        present = 0;
    }

    /** Behind all that have come to the same place before. */
    private void insert(Turn<T> turn) {
        int index = order.size();
        while (index > 0 && order.get(index - 1).place > turn.place) {
            index--;
        }
        order.add(index, turn);
        turn.isInOrder = true;
    }
}
