package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two attempts of the same run: the second attempt repeats the first attempt, although the first attempt threw no
 * exception.
 *
 * @param first the attempt with the lower number; if its process paused, it may have started later than the second
 *     attempt
 */
record Repetition(JobAccount job, Attempt first, Attempt second) {

    static List<Repetition> all(Account account) {
        List<Repetition> found = new ArrayList<>();
        for (JobAccount job : account.jobs()) {
            Map<Integer, Attempt> latest = new HashMap<>();
            job.attempts.stream()
                    .sorted(Comparator.comparingInt(Attempt::number))
                    .forEach(attempt -> {
                        Attempt before = latest.put(attempt.run(), attempt);
                        if (before != null && !before.thrown()) {
                            found.add(new Repetition(job, before, attempt));
                        }
                    });
        }
        return found;
    }

    /**
     * Tells whether the process of the first attempt was silent. The silence must last at least {@code atLeastNanos},
     * and overlap the time between the two starts.
     */
    boolean isBySilence(Account account, long atLeastNanos) {
        long from = Math.min(first.startedNanos(), second.startedNanos());
        long until = Math.max(first.startedNanos(), second.startedNanos());
        return account.silences().wasSilenced(first.worker(), from, until, atLeastNanos);
    }

    boolean isOverlap() {
        return first.endedNanos() > second.startedNanos() && second.endedNanos() > first.startedNanos();
    }

    @Override
    public String toString() {
        return "%s: %s, then %s".formatted(job, first, second);
    }
}
