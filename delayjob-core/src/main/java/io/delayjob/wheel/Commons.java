package io.delayjob.wheel;

/** A tick takes 2<sup>tickShift</sup> ns. */
record Commons<E>(int tickShift, Chunks<E> chunks, Counts counts, Ahead ahead) {

    Commons(int tickShift) {
        this(tickShift, new Chunks<>(), new Counts(), new Ahead());
    }
}
