package io.delayjob.wheel;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A hierarchical wheel, with the part of its owner's work that a test with one thread needs. */
final class DrivenWheel<E> {

    private final HierarchicalWheel<E> wheel;
    private long now;
    private long cancelled;

    DrivenWheel(long startNanos, Duration tick) {
        this.wheel = new HierarchicalWheel<>(startNanos, tick);
        this.now = startNanos;
    }

    Timeout<E> schedule(E element, long deadlineNanos) {
        long delay = Math.min(deadlineNanos - now, HierarchicalWheel.LONGEST_DELAY);
        long time = wheel.timeFor(now, delay);
        Entry<E> entry = wheel.entry(() -> cancelled++, element, time);
        wheel.add(entry, time);
        return entry;
    }

    long poll(long nowNanos, int limit, Consumer<? super E> due) {
        if (nowNanos - now > 0) {
            now = nowNanos;
        }
        return wheel.poll(nowNanos, limit, due);
    }

    long nanosToNext() {
        return wheel.nanosToNext();
    }

    boolean sweep(int limit) {
        return wheel.sweep(limit);
    }

    /** Returns the number of waiting timers, as the wheel has counted them. */
    int size() {
        return wheel.lying() - (int) (cancelled - wheel.dropped());
    }

    int lying() {
        return wheel.lying();
    }

    long cascades() {
        return wheel.cascades();
    }

    List<LevelOccupancy> levels() {
        return wheel.levels();
    }

    List<WheelSnapshot.LevelSlots> slots() {
        return wheel.slots();
    }

    long tickStartNanos() {
        return wheel.tickStartNanos();
    }

    long tickNanos() {
        return wheel.tickNanos();
    }
}
