package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes an attempt that repeats the previous attempt of the same run, although that attempt threw no exception.
 *
 * @param first the attempt with the lower number. If its process was paused between the claim and the call to the
 *     handler, the first attempt may have started later than the second
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
     * Tells whether a silence of the first attempt's process explains the second attempt. The silence must last for at
     * least {@code atLeastNanos}. It must also overlap the time between the starts of the two attempts.
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
