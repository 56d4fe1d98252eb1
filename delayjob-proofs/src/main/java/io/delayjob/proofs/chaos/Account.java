package io.delayjob.proofs.chaos;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The evidence of a round, ordered by job and by partition. */
final class Account {

    static final long NEVER = Long.MAX_VALUE;

    /**
     * @param endedNanos {@link #NEVER} if the attempt has not ended
     * @param killed whether the process was killed before the attempt ended
     * @param settledNanos time when the process learned whether the outcome was accepted; {@link #NEVER} if it got no
     *     answer
     */
    record Attempt(
            String worker,
            JobId job,
            int run,
            int number,
            long dueMillis,
            long startedNanos,
            long startedMicros,
            long endedNanos,
            boolean thrown,
            boolean killed,
            long settledNanos) {

        boolean isOf(String process) {
            return worker.equals(process);
        }

        long dueNanos() {
            return startedNanos - (startedMicros - dueMillis * 1_000) * 1_000;
        }
    }

    record Cancel(
            long askedNanos, long answeredNanos, @Nullable CancelResult result) {}

    record Reschedule(
            long askedNanos,
            long answeredNanos,
            long dueMillis,
            @Nullable ChangeResult result) {}

    record Lead(String partition, String worker, long fromNanos, long untilNanos) {}

    static final class JobAccount {
        final long number;

        @Nullable
        Kind kind;

        long group;

        /** Number of the job that must end first; 0 if there is none. */
        long follows;

        boolean followsAll;

        @Nullable
        JobId id;

        @Nullable
        Row row;
        /** {@link #NEVER} if the call that scheduled this job did not return. */
        long scheduledMicros = NEVER;

        final List<Attempt> attempts = new ArrayList<>();
        final List<Accepted> accepted = new ArrayList<>();
        /** Attempts with a row in the table {@code effect}. Only attempts of atomic jobs have such a row. */
        final List<Integer> effects = new ArrayList<>();

        final List<Cancel> cancels = new ArrayList<>();
        final List<Reschedule> reschedules = new ArrayList<>();
        final List<Long> linesNanos = new ArrayList<>();

        JobAccount(long number) {
            this.number = number;
        }

        Kind kind() {
            return Objects.requireNonNull(kind);
        }

        Row row() {
            return Objects.requireNonNull(row);
        }

        @Override
        public String toString() {
            return "job %d (%s, %s)".formatted(number, kind, id);
        }
    }

    private final Evidence evidence;
    private final Map<Long, JobAccount> jobs = new TreeMap<>();
    private final Map<Long, List<JobAccount>> byTransaction = new HashMap<>();
    private final Map<Long, Event> outcomes = new HashMap<>();
    private final Map<Long, Long> outcomeMicros = new HashMap<>();
    private final Map<String, Long> deaths = new HashMap<>();
    private final List<Lead> leads = new ArrayList<>();
    private final Silences silences;
    private final List<Row> strangers = new ArrayList<>();
    private int fenced;

    Account(Evidence evidence) {
        this.evidence = evidence;
        this.silences = new Silences(evidence.profile(), evidence.faults());
        evidence.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.KILL)
                .forEach(kill -> deaths.put(kill.worker(), kill.endedNanos()));
        evidence.ledgers().forEach(this::read);
        Map<JobId, JobAccount> byId = new HashMap<>();
        jobs.values().stream().filter(job -> job.id != null).forEach(job -> byId.put(job.id, job));
        for (Row row : evidence.rows()) {
            JobAccount job = row.key() == null ? byId.get(row.job()) : jobs.get(Long.valueOf(row.key()));
            if (job == null) {
                strangers.add(row);
            } else {
                job.row = row;
                job.id = row.job();
                byId.put(row.job(), job);
            }
        }
        evidence.accepted().forEach(end -> {
            JobAccount job = byId.get(end.job());
            if (job != null) {
                job.accepted.add(end);
            }
        });
        evidence.effects().forEach(effect -> {
            JobAccount job = byId.get(effect.job());
            if (job != null) {
                job.effects.add(effect.attempt());
            }
        });
        jobs.values().forEach(job -> {
            job.attempts.sort(Comparator.comparingLong(Attempt::startedNanos));
            byTransaction
                    .computeIfAbsent(job.group, unused -> new ArrayList<>())
                    .add(job);
        });
    }

    private Account(Account all, Collection<JobAccount> left) {
        this.evidence = all.evidence;
        this.silences = all.silences;
        this.byTransaction.putAll(all.byTransaction);
        this.outcomes.putAll(all.outcomes);
        this.outcomeMicros.putAll(all.outcomeMicros);
        this.deaths.putAll(all.deaths);
        this.leads.addAll(all.leads);
        this.strangers.addAll(all.strangers);
        this.fenced = all.fenced;
        this.jobs.putAll(all.jobs);
        left.forEach(job -> jobs.remove(job.number));
    }

    Account without(Collection<JobAccount> left) {
        return new Account(this, left);
    }

    private void read(String worker, List<LedgerLine> ledger) {
        record Call(JobId job, int run, int attempt) {}
        long death = deaths.getOrDefault(worker, NEVER);
        Map<Call, LedgerLine> ends = new HashMap<>();
        Map<Call, LedgerLine> settlements = new HashMap<>();
        Map<JobId, LedgerLine> asked = new HashMap<>();
        Map<String, LedgerLine> led = new HashMap<>();
        for (LedgerLine line : ledger) {
            if (line.number() != 0) {
                job(line).linesNanos.add(line.nanos());
            }
            switch (line.event()) {
                case SUBMITTING -> {
                    JobAccount job = job(line);
                    job.kind = Kind.valueOf(line.note());
                    job.group = line.group();
                }
                case FOLLOWS -> job(line).follows = Long.parseLong(line.note());
                case FOLLOWS_ALL -> job(line).followsAll = true;
                case SCHEDULED -> {
                    JobAccount job = job(line);
                    job.id = line.job();
                    job.scheduledMicros = line.micros();
                }
                case COMMITTED, ROLLED_BACK, UNKNOWN -> {
                    outcomes.put(line.group(), line.event());
                    outcomeMicros.put(line.group(), line.micros());
                }
                case START -> job(line).id = line.job();
                case END, THROWN -> ends.put(new Call(line.id(), line.run(), line.attempt()), line);
                case COMPLETED, FENCED -> {
                    settlements.put(new Call(line.id(), line.run(), line.attempt()), line);
                    fenced += line.event() == Event.FENCED ? 1 : 0;
                }
                case CANCELLING, RESCHEDULING -> asked.put(line.id(), line);
                case CANCEL_ANSWER ->
                    job(line)
                            .cancels
                            .add(new Cancel(
                                    Objects.requireNonNull(asked.get(line.id())).nanos(),
                                    line.nanos(),
                                    line.note().equals("UNKNOWN") ? null : CancelResult.valueOf(line.note())));
                case RESCHEDULE_ANSWER ->
                    job(line)
                            .reschedules
                            .add(new Reschedule(
                                    Objects.requireNonNull(asked.get(line.id())).nanos(),
                                    line.nanos(),
                                    line.dueMillis(),
                                    line.note().equals("UNKNOWN") ? null : ChangeResult.valueOf(line.note())));
                case LEASE_ACQUIRED -> led.put(line.note(), line);
                case LEASE_ENDED -> {
                    LedgerLine acquired = led.remove(line.note());
                    if (acquired != null) {
                        leads.add(new Lead(line.note(), worker, acquired.nanos(), line.nanos()));
                    }
                }
                case HICCUP, SILENCE, STOPPING, STOPPED -> silences.read(worker, line);
            }
        }
        led.forEach((partition, acquired) -> leads.add(new Lead(partition, worker, acquired.nanos(), death)));
        asked.forEach((id, line) -> {
            // The process was killed after it had sent the request, so the answer is unknown.
            if (line.event() == Event.CANCELLING
                    && job(line).cancels.stream().noneMatch(cancel -> cancel.askedNanos() == line.nanos())) {
                job(line).cancels.add(new Cancel(line.nanos(), death, null));
            }
        });
        for (LedgerLine line : ledger) {
            if (line.event() == Event.START) {
                Call call = new Call(line.id(), line.run(), line.attempt());
                LedgerLine end = ends.get(call);
                LedgerLine settled = settlements.get(call);
                job(line)
                        .attempts
                        .add(new Attempt(
                                worker,
                                line.id(),
                                line.run(),
                                line.attempt(),
                                line.dueMillis(),
                                line.nanos(),
                                line.micros(),
                                end == null ? death : end.nanos(),
                                end != null && end.event() == Event.THROWN || isFailure(settled),
                                end == null && death != NEVER,
                                settled == null ? NEVER : settled.nanos()));
            }
        }
    }

    /** An attempt of an atomic job also fails if its transaction fails after the handler has returned. */
    private static boolean isFailure(@Nullable LedgerLine settled) {
        return settled != null
                && settled.event() == Event.COMPLETED
                && settled.note().equals("FAILED");
    }

    private JobAccount job(LedgerLine line) {
        return jobs.computeIfAbsent(line.number(), JobAccount::new);
    }

    Profile profile() {
        return evidence.profile();
    }

    Collection<JobAccount> jobs() {
        return jobs.values();
    }

    List<JobAccount> followedBy(JobAccount job) {
        if (job.follows != 0) {
            return List.of(Objects.requireNonNull(jobs.get(job.follows)));
        }
        return !job.followsAll
                ? List.of()
                : byTransaction.getOrDefault(job.group, List.of()).stream()
                        .filter(other -> other != job)
                        .toList();
    }

    List<Fault> faults() {
        return evidence.faults();
    }

    List<Lead> leads() {
        return leads;
    }

    Silences silences() {
        return silences;
    }

    int led(String worker, long nanos) {
        return (int) leads.stream()
                .filter(lead -> lead.worker().equals(worker))
                .filter(lead -> lead.fromNanos() <= nanos && nanos < lead.untilNanos())
                .count();
    }

    /** The rows of jobs that no process has scheduled. */
    List<Row> strangers() {
        return strangers;
    }

    int fenced() {
        return fenced;
    }

    @Nullable
    Event outcome(JobAccount job) {
        return outcomes.get(job.group);
    }

    /**
     * If a job was scheduled without a transaction, the job exists when the scheduling call has returned. If the answer
     * to the call was lost, only the row shows whether the job exists.
     */
    boolean exists(JobAccount job) {
        if (job.follows != 0) {
            Row first = Objects.requireNonNull(jobs.get(job.follows)).row;
            return first != null && first.state() == JobState.FINISHED;
        }
        if (job.group == 0) {
            return job.scheduledMicros != NEVER || job.row != null;
        }
        return evidence.committed().contains(job.group);
    }

    /** {@link #NEVER} if the client never learned of the job. */
    long knownMicros(JobAccount job) {
        if (job.group == 0) {
            return job.scheduledMicros;
        }
        return outcomes.get(job.group) == Event.COMMITTED
                ? Objects.requireNonNull(outcomeMicros.get(job.group))
                : NEVER;
    }

    /** Numbers of broken transactions: the commit was acknowledged, but did not happen. */
    Set<Long> betrayed() {
        Set<Long> betrayed = new HashSet<>();
        outcomes.forEach((group, outcome) -> {
            if (outcome == Event.COMMITTED && !evidence.committed().contains(group)) {
                betrayed.add(group);
            }
        });
        return betrayed;
    }
}
