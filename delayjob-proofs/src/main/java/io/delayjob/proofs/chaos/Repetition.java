package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two starts of one run, one after the other, although the first did not throw. */
record Repetition(JobAccount job, Attempt first, Attempt second) {

    static List<Repetition> all(Account account) {
        List<Repetition> found = new ArrayList<>();
        for (JobAccount job : account.jobs()) {
            Map<Integer, Attempt> latest = new HashMap<>();
            for (Attempt attempt : job.attempts) {
                Attempt before = latest.put(attempt.run(), attempt);
                if (before != null && !before.thrown()) {
                    found.add(new Repetition(job, before, attempt));
                }
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return "%s: %s, then %s".formatted(job, first, second);
    }
}
