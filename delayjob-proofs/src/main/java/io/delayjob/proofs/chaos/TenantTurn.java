package io.delayjob.proofs.chaos;

import io.delayjob.handler.Handler;
import io.delayjob.job.Partition;
import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import io.delayjob.proofs.chaos.Account.Lead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the job of a small tenant waited for its turn on the leader of its partition.
 *
 * @param leader the leader of the partition from the due time until the start
 * @param backlog number of due jobs of the big tenant at the due time
 * @param overtaken number of jobs of the big tenant that the leader started although it knew the small job
 * @param waitedMillis time from the due time until the start
 */
record TenantTurn(JobAccount job, String leader, int backlog, int overtaken, long waitedMillis) {

    /**
     * Maximum number of jobs that may overtake the small tenant's job. These are the jobs that were already claimed,
     * and one more job in the big tenant's turn.
     */
    static final int MOST_OVERTAKEN = Limits.FAIR_AT_A_TIME + 1;

    /**
     * After this time, an instance knows each due job of its partitions. This time is {@code sweep.grace} plus twice
     * {@code sweep.interval}, plus one second for a busy machine.
     */
    private static final Duration FOUND = Duration.ofMillis(1_700);

    /** This time is long enough, because the driver notices a dead connection within 3 s. */
    private static final Duration UNTIL_SETTLED = Duration.ofSeconds(5);

    /**
     * A turn counts only if its job waited on one undisturbed instance. Rescheduled jobs and jobs that became known
     * after their due time are left out.
     */
    static List<TenantTurn> all(Account account) {
        List<Attempt> big = account.jobs().stream()
                .filter(job -> job.kind != null && Limits.isOfBigTenant(job.kind, job.number))
                .flatMap(job -> job.attempts.stream())
                .toList();
        List<TenantTurn> turns = new ArrayList<>();
        account.jobs().stream()
                .filter(job -> job.kind != null && Limits.isOfSmallTenant(job.kind, job.number))
                .filter(job -> job.row != null && !job.attempts.isEmpty() && job.reschedules.isEmpty())
                .filter(job -> account.knownMicros(job) <= job.attempts.get(0).dueMillis() * 1_000)
                .forEach(job -> leaderOf(account, job).ifPresent(leader -> turns.add(turn(job, leader, big))));
        return turns;
    }

    private static Optional<String> leaderOf(Account account, JobAccount job) {
        long due = job.attempts.get(0).dueNanos();
        long start = job.attempts.get(0).startedNanos();
        String partition = new Partition(Handler.DEFAULT_QUEUE, job.row().partition()).toString();
        return account.leads().stream()
                .filter(lead -> lead.partition().equals(partition))
                .filter(lead -> lead.fromNanos() <= due && lead.untilNanos() >= start)
                .map(Lead::worker)
                .filter(leader -> account.silences().isUndisturbed(leader, due - UNTIL_SETTLED.toNanos(), due, start))
                .findFirst();
    }

    private static TenantTurn turn(JobAccount job, String leader, List<Attempt> big) {
        long due = job.attempts.get(0).dueNanos();
        long start = job.attempts.get(0).startedNanos();
        long found = due + FOUND.toNanos();
        int backlog = (int) big.stream()
                .filter(attempt -> attempt.dueNanos() <= due && attempt.startedNanos() > due)
                .count();
        int overtaken = (int) big.stream()
                .filter(attempt -> attempt.isOf(leader))
                .filter(attempt -> attempt.startedNanos() > found && attempt.startedNanos() < start)
                .count();
        return new TenantTurn(
                job, leader, backlog, overtaken, Duration.ofNanos(start - due).toMillis());
    }

    @Override
    public String toString() {
        return "%s waited %d ms, %s started %d jobs of the big tenant meanwhile, and %d were due at first"
                .formatted(job, waitedMillis, leader, overtaken, backlog);
    }
}
