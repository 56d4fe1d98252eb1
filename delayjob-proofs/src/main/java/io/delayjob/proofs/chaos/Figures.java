package io.delayjob.proofs.chaos;

import io.delayjob.job.CancelResult;
import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Counts and durations of a round.
 *
 * @param unknown number of jobs whose commit got no answer
 * @param repeated number of handler calls that repeat a handler call that threw no exception
 * @param overlapping number of repeated calls that began during the previous call
 * @param fenced number of outcomes that the store has refused
 * @param unplannedSilences how often heartbeats got no answer without an injected fault
 * @param recovery time from the kill of a process to the next start of its job, if no other process is disturbed
 * @param recoveryInTrouble time from the kill of a process to the next start of its job, if another process is
 *     disturbed
 * @param firingAgain time from the first accepted connection after a restart to the first start of a job
 * @param lateness time from a job's due time to its start, while no fault has effects
 */
record Figures(
        long committed,
        long rolledBack,
        long unknown,
        long cancelled,
        long starts,
        long repeated,
        long overlapping,
        long fenced,
        long unplannedSilences,
        Map<FaultKind, Long> faults,
        Samples recovery,
        Samples recoveryInTrouble,
        Samples firingAgain,
        Samples lateness) {

    /** Maximum time in which a fault still has effects, such as many overdue jobs. */
    private static final Duration UNTIL_CALM = Duration.ofSeconds(3);

    static Figures of(Account account, long beganNanos) {
        Collection<JobAccount> jobs = account.jobs();
        List<Repetition> repetitions = Repetition.all(account);
        Map<FaultKind, Long> faults = account.faults().stream()
                .filter(Fault::tookEffect)
                .collect(Collectors.groupingBy(
                        Fault::kind, () -> new EnumMap<>(FaultKind.class), Collectors.counting()));
        return new Figures(
                jobs.stream().filter(account::exists).count(),
                jobs.stream()
                        .filter(job -> account.outcome(job) == Event.ROLLED_BACK)
                        .count(),
                jobs.stream()
                        .filter(job ->
                                account.knownMicros(job) == Account.NEVER && account.outcome(job) != Event.ROLLED_BACK)
                        .count(),
                jobs.stream()
                        .filter(job ->
                                job.cancels.stream().anyMatch(cancel -> cancel.result() == CancelResult.CANCELLED))
                        .count(),
                jobs.stream().mapToLong(job -> job.attempts.size()).sum(),
                repetitions.size(),
                repetitions.stream().filter(Repetition::isOverlap).count(),
                account.fenced(),
                account.silences().unplanned(),
                faults,
                recovery(account, repetitions, false),
                recovery(account, repetitions, true),
                firingAgain(account),
                lateness(account, beganNanos));
    }

    private static Samples recovery(Account account, List<Repetition> repetitions, boolean inTrouble) {
        Samples samples = new Samples();
        for (Fault kill : account.faults()) {
            if (kill.kind() == FaultKind.KILL) {
                repetitions.stream()
                        .filter(repetition -> repetition.first().worker().equals(kill.worker()))
                        .filter(repetition -> repetition.first().settledNanos() == Account.NEVER)
                        .mapToLong(repetition -> repetition.second().startedNanos())
                        .filter(restarted -> restarted > kill.beganNanos())
                        .filter(restarted -> isUp(account, kill.beganNanos(), restarted))
                        .filter(restarted -> inTrouble == othersAreInTrouble(account, kill, restarted))
                        .forEach(restarted -> samples.add(millis(restarted - kill.beganNanos())));
            }
        }
        return samples;
    }

    /** Tells whether the database was up. Without the database, no process can recover. */
    private static boolean isUp(Account account, long fromNanos, long untilNanos) {
        return account.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.RESTART)
                .noneMatch(restart -> restart.overlaps(fromNanos - UNTIL_CALM.toNanos(), untilNanos));
    }

    private static boolean othersAreInTrouble(Account account, Fault kill, long untilNanos) {
        return account.faults().stream()
                .filter(fault -> !fault.isOn(kill.worker()))
                .filter(fault -> fault.kind().silences() || fault.kind() == FaultKind.EXHAUST_POOL)
                .anyMatch(fault -> fault.overlaps(kill.beganNanos(), untilNanos));
    }

    private static Samples firingAgain(Account account) {
        Samples samples = new Samples();
        for (Fault restart : account.faults()) {
            if (restart.kind() == FaultKind.RESTART) {
                account.jobs().stream()
                        .flatMap(job -> job.attempts.stream())
                        .mapToLong(Attempt::startedNanos)
                        .filter(start -> start > restart.endedNanos())
                        .min()
                        .ifPresent(start -> samples.add(millis(start - restart.endedNanos())));
            }
        }
        return samples;
    }

    /** Leaves out repeated attempts, jobs that became known late, and times in which a fault has effects. */
    private static Samples lateness(Account account, long beganNanos) {
        Samples samples = new Samples();
        for (JobAccount job : account.jobs()) {
            if (job.attempts.isEmpty() || !job.reschedules.isEmpty()) {
                continue;
            }
            Attempt first = job.attempts.get(0);
            long dueMicros = first.dueMillis() * 1_000;
            boolean knownBefore = account.knownMicros(job) <= dueMicros;
            long lateNanos = (first.startedMicros() - dueMicros) * 1_000;
            long sinceNanos = first.startedNanos() - lateNanos - UNTIL_CALM.toNanos();
            boolean calm = sinceNanos > beganNanos
                    && account.faults().stream().noneMatch(fault -> fault.overlaps(sinceNanos, first.startedNanos()));
            if (knownBefore && calm && first.run() == 1) {
                samples.add(Math.floorDiv(lateNanos, 1_000_000L));
            }
        }
        return samples;
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
