package io.delayjob.internal.lane;

import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which competitor is served next (start-time fair queueing). Each competitor has a place, which is a number.
 * When a competitor is served, its place moves back. The higher its priority, the shorter the move. A competitor may
 * begin to wait again after a while. Its place is then at least the place that the last served competitor had when it
 * was served.
 *
 * <pre>
 *   priority 10   a . a . a . a .        priority 20   a a . a a . a a .
 *   priority 10   . b . b . b . b        priority 10   . . b . . b . . b
 * </pre>
 *
 * <p>Therefore each competitor is served again and again, even if others have higher priorities. Only waiting
 * competitors are asked whether they can start something. A competitor that has nothing to start keeps its place. The
 * lock of {@link Tickets} guards this object.
 */
final class Turns<T> {

    /**
     * When a competitor with priority 1 has been served, its place moves back by this number. This number is divisible
     * by most priorities. The number that is a competitor's place overflows only after years.
     */
    private static final long STRIDE = 720_720;

    private final TreeSet<Turn<T>> waiting = new TreeSet<>(Turns::inOrder);
    private long present;
    private long arrivals;

    /** Contains the place of one competitor. */
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

    /** Among competitors with the same place, the first to arrive comes first. */
    private void insert(Turn<T> turn, long place) {
        turn.place = place;
        turn.arrival = ++arrivals;
        waiting.add(turn);
    }

    /**
     * Serves the first waiting competitor that can be served.
     *
     * @param serve returns {@code null} if it cannot serve a competitor
     * @return the result for the served competitor; {@code null} if no competitor can be served
     */
    <R> @Nullable R next(Function<T, @Nullable R> serve) {
        Turn<T> turn = waiting.isEmpty() ? null : waiting.first();
        while (turn != null) {
            long place = turn.place;
            // Read before the call, because the asked competitor may stop waiting and then wait again behind the next
            // one.
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
