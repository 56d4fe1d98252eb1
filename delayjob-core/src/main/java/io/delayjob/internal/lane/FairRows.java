package io.delayjob.internal.lane;

import io.delayjob.internal.lane.Ticket.Kind;
import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contains the waiting rows of a lane. Rows with different fair keys take turns.
 *
 * <pre>
 *   a: 1 2 3 4 5        turns: a b c    out: a1 b1 c1 a2 c2 a3 a4 a5
 *   b: 1
 *   c: 1 2
 * </pre>
 *
 * <p>All rows without a key share one turn. The rows of one key start in the order of their due times. The lock of
 * {@link Tickets} guards this object.
 */
final class FairRows extends AbstractQueue<Ticket> {

    private static final class Line {
        private final @Nullable String key;
        private final Queue<Ticket> onTime = new ArrayDeque<>(1);
        private final Queue<Ticket> swept = new ArrayDeque<>(1);
        private final Queue<Ticket> scouted = new ArrayDeque<>(1);

        private Line(@Nullable String key) {
            this.key = key;
        }

        private Queue<Ticket> of(Kind kind) {
            return switch (kind) {
                case ON_TIME -> onTime;
                case OVERDUE -> swept;
                case SCOUTED -> scouted;
            };
        }

        private Queue<Ticket> earliest() {
            return earlier(swept, earlier(scouted, onTime));
        }

        private static Queue<Ticket> earlier(Queue<Ticket> one, Queue<Ticket> other) {
            if (one.isEmpty() || other.isEmpty()) {
                return one.isEmpty() ? other : one;
            }
            return one.element().dueMillis() <= other.element().dueMillis() ? one : other;
        }

        private int size() {
            return onTime.size() + swept.size() + scouted.size();
        }

        private Stream<Ticket> stream() {
            return Stream.of(swept, scouted, onTime).flatMap(Queue::stream);
        }
    }

    /** The line of the rows without a key. It is kept even while it is empty, because most lanes have no keys. */
    private final Line withoutKey = new Line(null);

    private final Map<String, Line> byKey = new HashMap<>(0);

    private final Deque<Line> turns = new ArrayDeque<>();

    private final boolean alwaysFair;
    private int size;
    private int swept;

    FairRows(boolean alwaysFair) {
        this.alwaysFair = alwaysFair;
    }

    boolean areFair() {
        return alwaysFair || !byKey.isEmpty();
    }

    /** If the handler has a rule for fair keys, rows without a key take turns, too. */
    boolean isFair(Ticket ticket) {
        return alwaysFair || ticket.row().fairKey() != null;
    }

    @Override
    public boolean offer(Ticket ticket) {
        String key = ticket.row().fairKey();
        Line line = key == null ? withoutKey : byKey.computeIfAbsent(key, Line::new);
        if (line.size() == 0) {
            turns.add(line);
        }
        line.of(ticket.kind).add(ticket);
        count(ticket, 1);
        return true;
    }

    @Override
    public @Nullable Ticket peek() {
        return turns.isEmpty() ? null : turns.element().earliest().peek();
    }

    @Override
    public @Nullable Ticket poll() {
        if (turns.isEmpty()) {
            return null;
        }
        Line line = turns.remove();
        Ticket next = line.earliest().remove();
        count(next, -1);
        if (line.size() > 0) {
            turns.add(line);
        } else if (line.key != null) {
            byKey.remove(line.key);
        }
        return next;
    }

    private void count(Ticket ticket, int rows) {
        size += rows;
        swept += ticket.kind == Kind.OVERDUE ? rows : 0;
    }

    @Override
    public int size() {
        return size;
    }

    int swept() {
        return swept;
    }

    @Override
    public Iterator<Ticket> iterator() {
        return turns.stream().flatMap(Line::stream).iterator();
    }

    int ofKey(Ticket offered) {
        Line line = lineOf(offered);
        return line == null ? 0 : line.size();
    }

    int ofKey(Ticket offered, Kind kind) {
        Line line = lineOf(offered);
        return line == null ? 0 : line.of(kind).size();
    }

    private @Nullable Line lineOf(Ticket offered) {
        String key = offered.row().fairKey();
        return key == null ? withoutKey : byKey.get(key);
    }
}
