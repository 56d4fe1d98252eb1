package io.delayjob.dispatch;

/** The worker slots of one queue on this instance. Guarded by the lock of {@link Lanes}. */
final class QueueSlots {

    final String name;
    final int limit;

    /** Slots taken. */
    int running;

    /** Jobs being claimed, or claimed and not started, over all lanes. */
    int pending;

    QueueSlots(String name, int limit) {
        this.name = name;
        this.limit = limit;
    }

    int free() {
        return limit - running;
    }
}
