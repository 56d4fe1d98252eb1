package io.delayjob.wheel;

/** A timer so far away that it has to know its whole tick. */
final class FarEntry<E> extends Entry<E> {

    private final int highTick;

    FarEntry(Timers timers, E element, long tick) {
        super(timers, element, tick);
        this.highTick = (int) (tick >>> Integer.SIZE);
    }

    @Override
    long tick(long from) {
        return ((long) highTick << Integer.SIZE) | Integer.toUnsignedLong(lowTick());
    }
}
