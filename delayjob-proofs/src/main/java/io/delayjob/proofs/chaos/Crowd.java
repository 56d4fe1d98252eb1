package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * How many attempts under one limit ran at the same time. Other processes may treat a silent process as dead. If the
 * limit is exceeded, the attempts of such a process are not counted.
 *
 * @param excused number of attempts that exceeded the limit, but only because a process was silent
 */
record Crowd(int most, int excused, List<String> violations) {

    /**
     * Maximum time from the claim of a job to the call to its handler. If the process is silent between the claim and
     * the call, the job may be rescued.
     */
    static final Duration CALLED_LATE = Duration.ofMillis(500);

    static Crowd of(int limit, Collection<Attempt> attempts, Silences silences) {
        List<Attempt> running = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        int most = 0;
        int excused = 0;
        for (Attempt next : sorted(attempts)) {
            long now = next.startedNanos();
            running.removeIf(attempt -> attempt.endedNanos() <= now);
            running.add(next);
            List<Attempt> counted = running.size() <= limit
                    ? running
                    : running.stream()
                            .filter(attempt -> !silences.mayBeGivenUp(
                                    attempt.worker(), attempt.startedNanos() - CALLED_LATE.toNanos(), now))
                            .toList();
            most = Math.max(most, counted.size());
            if (counted.size() > limit) {
                violations.add("%d attempts at a time, of at most %d: %s".formatted(counted.size(), limit, counted));
            } else if (running.size() > limit) {
                excused++;
            }
        }
        return new Crowd(most, excused, violations);
    }

    private static List<Attempt> sorted(Collection<Attempt> attempts) {
        return attempts.stream()
                .sorted(Comparator.comparingLong(Attempt::startedNanos))
                .toList();
    }
}
