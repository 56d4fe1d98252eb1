package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two attempts of a job under one number of run, one after the other, although the first did not throw.
 *
 * @param first the one with the lower number. It may have started later than the second, if its process was stopped
 *     between the claim and the call of the handler
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

    /** Whether the first one's process was silent for so long meanwhile. */
    boolean isBySilence(Account account, long atLeastNanos) {
        long from = Math.min(first.startedNanos(), second.startedNanos());
        long until = Math.max(first.startedNanos(), second.startedNanos());
        return account.wasSilenced(first.worker(), from, until, atLeastNanos);
    }

    /** Whether both were under way at once. */
    boolean isOverlap() {
        return first.endedNanos() > second.startedNanos() && second.endedNanos() > first.startedNanos();
    }

    @Override
    public String toString() {
        return "%s: %s, then %s".formatted(job, first, second);
    }
}
