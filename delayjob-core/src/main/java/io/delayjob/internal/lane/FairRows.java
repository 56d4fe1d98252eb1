package io.delayjob.internal.lane;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Waiting rows of a lane, in which the fair keys take turns. A key gives one row, and then it is the last one.
 *
 * <pre>
 *   a: 1 2 3 4 5        turns: a b c    out: a1 b1 c1 a2 c2 a3 a4 a5
 *   b: 1
 *   c: 1 2
 * </pre>
 *
 * <p>A key whose first row arrives is the last one, too. So each key waits for at most one row of each other key. Rows
 * without a key take turns like the rows of one more key. If no row has a key, this is a plain queue. Guarded by the
 * lock of {@link Tickets}.
 */
final class FairRows extends AbstractQueue<Ticket> {

    /** The rows of one key. */
    private static final class Line {
        private final @Nullable String key;
        private final Deque<Ticket> tickets = new ArrayDeque<>();

        private Line(@Nullable String key) {
            this.key = key;
        }
    }

    /** The line of rows without a key. It stays, because most lanes have no other. */
    private final Line withoutKey = new Line(null);

    private final Map<String, Line> byKey = new HashMap<>(0);

    /** The lines that have rows, in the order of their turns. */
    private final Deque<Line> turns = new ArrayDeque<>();

    private boolean fair;
    private int size;

    /** @param fair whether rows take turns even before the first row with a key has come */
    FairRows(boolean fair) {
        this.fair = fair;
    }

    /** Tells whether keys take turns. Once a row with a key was offered, they always do. */
    boolean areFair() {
        return fair;
    }

    /** Notes that this row is offered, and tells whether keys take turns. */
    boolean areFairWith(Ticket offered) {
        fair |= offered.row().fairKey() != null;
        return fair;
    }

    @Override
    public boolean offer(Ticket ticket) {
        String key = ticket.row().fairKey();
        Line line = key == null ? withoutKey : byKey.computeIfAbsent(key, Line::new);
        if (line.tickets.isEmpty()) {
            turns.add(line);
        }
        line.tickets.add(ticket);
        size++;
        return true;
    }

    @Override
    public @Nullable Ticket peek() {
        return turns.isEmpty() ? null : turns.element().tickets.peek();
    }

    @Override
    public @Nullable Ticket poll() {
        if (turns.isEmpty()) {
            return null;
        }
        Line line = turns.remove();
        Ticket next = line.tickets.remove();
        size--;
        if (!line.tickets.isEmpty()) {
            turns.add(line);
        } else if (line.key != null) {
            byKey.remove(line.key);
        }
        return next;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Ticket> iterator() {
        return turns.stream().flatMap(line -> line.tickets.stream()).iterator();
    }

    /** Returns the number of rows that have the same key as this row, or no key either. */
    int ofKey(Ticket offered) {
        String key = offered.row().fairKey();
        Line line = key == null ? withoutKey : byKey.get(key);
        return line == null ? 0 : line.tickets.size();
    }
}
