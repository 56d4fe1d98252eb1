package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.JobAccount;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the store has lost in failovers. With asynchronous replication, a failover may lose acknowledged writes. If a
 * job changed shortly before a failover, no check fails because of this job.
 *
 * @param atStake jobs that had an event during the fault of a failover, or shortly afterwards
 * @param lost the jobs among {@code atStake} that no longer exist although their scheduling was acknowledged
 * @param violations the violations by all other jobs
 */
record StoreLosses(Set<JobAccount> atStake, Set<JobAccount> lost, Map<Check, List<String>> violations) {

    /**
     * The ledger contains only the time when a handler was called. The claim of the job may be earlier than this call,
     * by at most this duration.
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

    /** Earlier events are safe: until the fault, the replica had received every acknowledged write. */
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
