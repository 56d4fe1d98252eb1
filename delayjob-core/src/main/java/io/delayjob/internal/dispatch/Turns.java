package io.delayjob.internal.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Those that compete for something, in the order in which it is their turn: by start-time fair queueing. Each has a
 * place in a time of its own, which passes as it is served. Being served moves it back, the less the higher its
 * priority is. One that comes back after it had nothing to be served with stands at the present.
 *
 * <pre>
 *   priority 10   a . a . a . a .        priority 20   a a . a a . a a .
 *   priority 10   . b . b . b . b        priority 10   . . b . . b . . b
 * </pre>
 *
 * <p>So each that waits is served again and again, whatever the others' priorities, and the one in front keeps its place
 * until it was served, however often others look in vain. Only those that wait are looked at. Guarded by the lock of
 * {@link Tickets}.
 */
final class Turns<T> {

    /** How far back being served moves one of priority 1: divisible, but for a rounding that nobody notices. */
    private static final long STRIDE = 1L << 32;

    /** Far from where a place would overflow, which some would reach in hours: then all places begin at zero again. */
    private static final long FARTHEST = 1L << 60;

    private final List<Turn<T>> all = new ArrayList<>();
    private final TreeSet<Turn<T>> waiting = new TreeSet<>(Turns::inOrder);
    private long present;
    private long arrivals;

    Turns() {
        this(0);
    }

    /** @param present where everybody begins */
    Turns(long present) {
        this.present = present;
    }

    /** The place of one of them. */
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
        Turn<T> turn = new Turn<>(newcomer, priority, present);
        all.add(turn);
        return turn;
    }

    /** From now on it waits to be served, or does not. */
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

    /** Behind all that have come to the same place before. */
    private void insert(Turn<T> turn, long place) {
        turn.place = place;
        turn.arrival = ++arrivals;
        waiting.add(turn);
    }

    /** Serves the first of those that wait that can be served. */
    <R> @Nullable R next(Function<T, @Nullable R> serve) {
        Turn<T> turn = waiting.isEmpty() ? null : waiting.first();
        while (turn != null) {
            long place = turn.place;
            R served = serve.apply(turn.whose);
            if (served != null) {
                moveBack(turn, place);
                return served;
            }
            turn = waiting.higher(turn);
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
        if (present > FARTHEST) {
            startOver();
        }
    }

    private void startOver() {
        List<Turn<T>> inOrder = List.copyOf(waiting);
        waiting.clear();
        all.forEach(turn -> turn.place = Math.max(0, turn.place - present));
        present = 0;
        inOrder.forEach(turn -> insert(turn, turn.place));
    }
}
