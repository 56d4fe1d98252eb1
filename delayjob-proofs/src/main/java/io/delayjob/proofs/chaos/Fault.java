package io.delayjob.proofs.chaos;

import java.time.Duration;

/**
 * Something that was done, with what came of it.
 *
 * @param worker the process it was done to; empty: the database, and so all of them
 * @param beganNanos monotonic time just before it
 * @param endedNanos monotonic time just after all was in order again; for a restart, when the server accepted
 *     connections
 * @param effect on how many things it has taken effect: processes, connections, messages; 0: on none
 */
record Fault(FaultKind kind, String worker, long beganNanos, long endedNanos, int effect) {

    Duration length() {
        return Duration.ofNanos(endedNanos - beganNanos);
    }

    boolean tookEffect() {
        return effect > 0;
    }

    boolean isOn(String process) {
        return worker.equals(process);
    }

    /** Whether any of it lies between these times. */
    boolean overlaps(long fromNanos, long untilNanos) {
        return beganNanos - untilNanos < 0 && endedNanos - fromNanos > 0;
    }

    @Override
    public String toString() {
        return "%s of %s from %d for %d ms, took effect on %d"
                .formatted(kind, worker.isEmpty() ? "the database" : worker, beganNanos, length().toMillis(), effect);
    }
}
