package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.JobAccount;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes what the store has lost in failovers. If a store replicates asynchronously, a failover may lose writes that
 * were acknowledged shortly before. Such writes are new jobs, claims, outcomes and cancellations. If a job changed
 * shortly before a failover and then violates a property, the store is taken to have lost a write. No check fails
 * because of this violation.
 *
 * @param atStake jobs that had an event while the fault of a failover lasted, or shortly afterwards
 * @param lost the jobs among {@code atStake} that no longer exist although their scheduling was acknowledged
 * @param violations the violations by all other jobs; no failover explains these violations
 */
record StoreLosses(Set<JobAccount> atStake, Set<JobAccount> lost, Map<Check, List<String>> violations) {

    /**
     * Maximum time from an acknowledged claim to the call to its handler. The ledger contains only the time of the
     * call. So if the call came up to this long after a failover, the claim may have come before the failover, or
     * during it.
     */
    private static final Duration CALLED_LATE = Duration.ofSeconds(3);

    static StoreLosses of(Account account) {
        Set<JobAccount> atStake = new HashSet<>();
        Set<JobAccount> lost = new HashSet<>();
        for (JobAccount job : account.jobs()) {
            if (account.faults().stream().anyMatch(fault -> isAround(fault, job))) {
                atStake.add(job);
                if (job.scheduledMicros != Account.NEVER && job.row == null) {
                    lost.add(job);
                }
            }
        }
        return new StoreLosses(atStake, lost, Check.violationsIn(account.without(atStake)));
    }

    /**
     * Tells whether a job had an event while the fault lasted, or shortly afterwards. Earlier events are safe: until
     * the fault separated the replica from its master, the replica had received every acknowledged write.
     */
    private static boolean isAround(Fault fault, JobAccount job) {
        return fault.kind() == FaultKind.FAILOVER
                && job.linesNanos.stream()
                        .anyMatch(nanos ->
                                nanos > fault.beganNanos() && nanos < fault.endedNanos() + CALLED_LATE.toNanos());
    }

    @Override
    public String toString() {
        return "losses of the store: %d of the %d jobs that its failovers put at stake"
                .formatted(lost.size(), atStake.size());
    }
}
