package io.delayjob.internal.dispatch;

/** How many tickets several queues hold together. Guarded by the lock of {@link Tickets}. */
final class Tally {

    int count;
}
