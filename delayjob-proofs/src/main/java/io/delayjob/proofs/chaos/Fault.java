package io.delayjob.proofs.chaos;

import java.time.Duration;

/**
 * A fault that was injected.
 *
 * @param worker empty if the fault affects all processes
 * @param endedNanos monotonic time just after everything worked again
 * @param effect number of affected processes, connections or messages; 0 for none
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

    boolean overlaps(long fromNanos, long untilNanos) {
        return beganNanos - untilNanos < 0 && endedNanos - fromNanos > 0;
    }

    @Override
    public String toString() {
        return "%s of %s from %d for %d ms, took effect on %d"
                .formatted(kind, worker.isEmpty() ? "the server" : worker, beganNanos, length().toMillis(), effect);
    }
}
