package io.delayjob.internal.lane;

import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which competitor is served next (start-time fair queueing). When a competitor is served, its place moves
 * back. The higher the competitor's priority, the shorter the move.
 *
 * <pre>
 *   priority 10   a . a . a . a .        priority 20   a a . a a . a a .
 *   priority 10   . b . b . b . b        priority 10   . . b . . b . . b
 * </pre>
 *
 * <p>Each competitor is served again and again, whatever the priorities of the other competitors are. A competitor that
 * begins to wait again does not get a place before the place that was served last. The lock of {@link Tickets} guards
 * this object.
 */
final class Turns<T> {

    /**
     * The distance that a competitor with priority 1 moves back. Most priorities divide this number without a
     * remainder. A place is a sum of such distances, and overflows only after years.
     */
    private static final long STRIDE = 720_720;

    private final TreeSet<Turn<T>> waiting = new TreeSet<>(Turns::inOrder);
    private long present;
    private long arrivals;

    static final class Turn<T> {
        private final T whose;
        private final long stride;
        private long place;
        private long arrival;
        private boolean waits;

        private Turn(T whose, int priority, long place) {
            this.whose = whose;
            this.stride = STRIDE / priority;
            this.place = place;
        }
    }

    private static int inOrder(Turn<?> one, Turn<?> other) {
        int byPlace = Long.compare(one.place, other.place);
        return byPlace != 0 ? byPlace : Long.compare(one.arrival, other.arrival);
    }

    Turn<T> add(T newcomer, int priority) {
        return new Turn<>(newcomer, priority, present);
    }

    void setWaiting(Turn<T> turn, boolean waits) {
        if (turn.waits == waits) {
            return;
        }
        turn.waits = waits;
        if (waits) {
            insert(turn, Math.max(turn.place, present));
        } else {
            waiting.remove(turn);
        }
    }

    private void insert(Turn<T> turn, long place) {
        turn.place = place;
        turn.arrival = ++arrivals;
        waiting.add(turn);
    }

    /** @param serve serves a competitor; returns {@code null} if the competitor cannot be served */
    <R> @Nullable R next(Function<T, @Nullable R> serve) {
        Turn<T> turn = waiting.isEmpty() ? null : waiting.first();
        while (turn != null) {
            long place = turn.place;
            // Read before the call, because the asked competitor may then wait behind the next one.
            Turn<T> next = waiting.higher(turn);
            R served = serve.apply(turn.whose);
            if (served != null) {
                moveBack(turn, place);
                return served;
            }
            turn = next;
        }
        return null;
    }

    private void moveBack(Turn<T> turn, long place) {
        present = Math.max(present, place);
        long back = present + turn.stride;
        boolean alone = !turn.waits || waiting.size() == 1;
        if (alone) {
            turn.place = back;
        } else {
            waiting.remove(turn);
            insert(turn, back);
        }
    }
}
