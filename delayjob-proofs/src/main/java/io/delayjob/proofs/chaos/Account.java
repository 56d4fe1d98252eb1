package io.delayjob.proofs.chaos;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.time.Duration;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The evidence of a round, told job by job, and partition by partition. */
final class Account {

    /** A process that was told to stop has given up by then what it cannot write. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    /** In place of a time that has not come. */
    static final long NEVER = Long.MAX_VALUE;

    /**
     * A call of a handler.
     *
     * @param endedNanos when it returned, threw or was killed; {@link #NEVER}: not yet
     * @param thrown whether it threw
     * @param killed whether its process was killed before it ended
     * @param settledNanos when its process heard that its end was taken or refused; {@link #NEVER}: it did not
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
    }

    /** What cancelling was answered. */
    record Cancel(
            long askedNanos, long answeredNanos, @Nullable CancelResult result) {}

    /** What rescheduling was answered. */
    record Reschedule(
            long askedNanos,
            long answeredNanos,
            long dueMillis,
            @Nullable ChangeResult result) {}

    /** A time in which a process led a partition. */
    record Lead(String partition, String worker, long fromNanos, long untilNanos) {}

    /** A time in which a process did not run, or was not answered. */
    private record Gap(String worker, long fromNanos, long untilNanos) {

        /** The one whose end this line tells. */
        static Gap before(String worker, LedgerLine line) {
            long length = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.note()));
            return new Gap(worker, line.nanos() - length, line.nanos());
        }

        long length() {
            return untilNanos - fromNanos;
        }

        boolean isOf(String process) {
            return worker.equals(process);
        }

        boolean overlaps(long from, long until) {
            return fromNanos < until && untilNanos > from;
        }
    }

    /** All that happened to one job. */
    static final class JobAccount {
        final long number;

        @Nullable
        Kind kind;

        long group;

        @Nullable
        JobId id;

        @Nullable
        Row row;
        /** Whether the call that scheduled it returned, and when; {@link #NEVER}: it did not. */
        long scheduledMicros = NEVER;

        final List<Attempt> attempts = new ArrayList<>();
        final List<Accepted> accepted = new ArrayList<>();
        /** The attempts whose rows are there, of an atomic job. */
        final List<Integer> effects = new ArrayList<>();

        final List<Cancel> cancels = new ArrayList<>();
        final List<Reschedule> reschedules = new ArrayList<>();

        JobAccount(long number) {
            this.number = number;
        }

        Kind kind() {
            return Objects.requireNonNull(kind);
        }

        @Override
        public String toString() {
            return "job %d (%s, %s)".formatted(number, kind, id);
        }
    }

    private final Evidence evidence;
    private final Map<Long, JobAccount> jobs = new TreeMap<>();
    private final Map<Long, Event> outcomes = new HashMap<>();
    private final Map<Long, Long> outcomeMicros = new HashMap<>();
    private final Map<String, Long> deaths = new HashMap<>();
    private final List<Lead> leads = new ArrayList<>();
    private final List<Gap> hiccups = new ArrayList<>();
    private final List<Gap> silences = new ArrayList<>();
    private final List<Gap> stops = new ArrayList<>();
    private final List<Row> strangers = new ArrayList<>();
    private int fenced;

    Account(Evidence evidence) {
        this.evidence = evidence;
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
        jobs.values().forEach(job -> job.attempts.sort(Comparator.comparingLong(Attempt::startedNanos)));
    }

    /** Reads one process's ledger: lines that belong together stand in one. */
    private void read(String worker, List<LedgerLine> ledger) {
        record Call(JobId job, int run, int attempt) {}
        long death = deaths.getOrDefault(worker, NEVER);
        Map<Call, LedgerLine> ends = new HashMap<>();
        Map<Call, LedgerLine> settlements = new HashMap<>();
        Map<JobId, LedgerLine> asked = new HashMap<>();
        Map<String, LedgerLine> led = new HashMap<>();
        for (LedgerLine line : ledger) {
            switch (line.event()) {
                case SUBMITTING -> {
                    JobAccount job = job(line);
                    job.kind = Kind.valueOf(line.note());
                    job.group = line.group();
                }
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
                case HICCUP -> hiccups.add(Gap.before(worker, line));
                case SILENCE -> silences.add(Gap.before(worker, line));
                case STOPPING -> stops.add(new Gap(worker, line.nanos(), NEVER));
                case STOPPED -> {}
            }
        }
        led.forEach((partition, acquired) -> leads.add(new Lead(partition, worker, acquired.nanos(), death)));
        asked.forEach((id, line) -> {
            // Asked, and then the process was killed: nobody knows.
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

    /** The handler of an atomic job may return, and its attempt fail with the transaction. */
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

    List<Fault> faults() {
        return evidence.faults();
    }

    List<Lead> leads() {
        return leads;
    }

    /** How many partitions this process led at that moment. */
    int led(String worker, long nanos) {
        return (int) leads.stream()
                .filter(lead -> lead.worker().equals(worker))
                .filter(lead -> lead.fromNanos() <= nanos && nanos < lead.untilNanos())
                .count();
    }

    /** Rows of jobs that nobody scheduled. */
    List<Row> strangers() {
        return strangers;
    }

    /** Ends of attempts that were refused. */
    int fenced() {
        return fenced;
    }

    /** What the client of the job's transaction heard. */
    @Nullable
    Event outcome(JobAccount job) {
        return outcomes.get(job.group);
    }

    /**
     * Whether the job exists: the transaction that scheduled it was committed. Of one without a transaction of its
     * client's, whose call did not return, only its row can tell.
     */
    boolean exists(JobAccount job) {
        if (job.group == 0) {
            return job.scheduledMicros != NEVER || job.row != null;
        }
        return evidence.committed().contains(job.group);
    }

    /** When its client knew that it exists, by the wall clock; {@link #NEVER}: it was never told. */
    long knownMicros(JobAccount job) {
        if (job.group == 0) {
            return job.scheduledMicros;
        }
        return outcomes.get(job.group) == Event.COMMITTED
                ? Objects.requireNonNull(outcomeMicros.get(job.group))
                : NEVER;
    }

    /** Numbers of transactions whose client heard that they were committed, although they were not. */
    Set<Long> betrayed() {
        Set<Long> betrayed = new HashSet<>();
        outcomes.forEach((group, outcome) -> {
            if (outcome == Event.COMMITTED && !evidence.committed().contains(group)) {
                betrayed.add(group);
            }
        });
        return betrayed;
    }

    /**
     * Whether others may have taken this process for dead because of something between these times, of at least this
     * length: a fault that silences it; that the machine did not run it; that, by its own account, no heartbeat was
     * answered, be it because the database was restarted or because the machine is busy; or that it stopped while the
     * database was away.
     */
    boolean wasSilenced(String worker, long fromNanos, long untilNanos, long atLeastNanos) {
        return evidence.faults().stream()
                        .filter(fault -> fault.kind().silences() && fault.isOn(worker))
                        .filter(fault ->
                                fault.kind() == FaultKind.KILL || fault.length().toNanos() >= atLeastNanos)
                        .anyMatch(fault -> fault.overlaps(fromNanos, untilNanos))
                || gaps(worker, fromNanos, untilNanos)
                        .anyMatch(gap -> gap.length() >= Math.max(atLeastNanos, silenceNanos()))
                || stops.stream()
                        .filter(stop -> stop.isOf(worker) && stop.overlaps(fromNanos, untilNanos))
                        .anyMatch(this::isWithoutDatabase);
    }

    /** Whether a process that was told to stop found no database to write its last ends to, and said nothing since. */
    private boolean isWithoutDatabase(Gap stop) {
        return evidence.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.RESTART)
                .anyMatch(restart -> restart.overlaps(stop.fromNanos(), stop.fromNanos() + LONGEST_STOP.toNanos()));
    }

    private Stream<Gap> gaps(String worker, long fromNanos, long untilNanos) {
        return Stream.concat(hiccups.stream(), silences.stream())
                .filter(gap -> gap.isOf(worker) && gap.overlaps(fromNanos, untilNanos));
    }

    /**
     * How often processes were silent for so long that they may have been taken for dead, although nothing was done to
     * them.
     */
    long unplannedSilences() {
        return silences.stream()
                .filter(gap -> gap.length() >= silenceNanos())
                .filter(gap -> evidence.faults().stream()
                        .filter(fault -> fault.kind() == FaultKind.RESTART || fault.isOn(gap.worker()))
                        .noneMatch(fault -> fault.overlaps(gap.fromNanos(), gap.untilNanos())))
                .count();
    }

    /**
     * How long a process must have been silent at least to be taken for dead: since a while before its last heartbeat.
     */
    long silenceNanos() {
        return profile().liveness().toNanos() / 10 * 8;
    }

    /** How long at most this process ran, and could reach the database, at a stretch between these times. */
    long longestWithoutSilence(String worker, long fromNanos, long untilNanos) {
        Stream<Gap> ofFaults = evidence.faults().stream()
                .filter(fault ->
                        fault.kind() == FaultKind.RESTART || fault.kind().silences() && fault.isOn(worker))
                .filter(fault -> fault.overlaps(fromNanos, untilNanos))
                .map(fault -> new Gap(worker, fault.beganNanos(), fault.endedNanos()));
        List<Gap> silent = Stream.concat(ofFaults, gaps(worker, fromNanos, untilNanos))
                .sorted(Comparator.comparingLong(Gap::fromNanos))
                .toList();
        long longest = 0;
        long heardSince = fromNanos;
        for (Gap gap : silent) {
            longest = Math.max(longest, gap.fromNanos() - heardSince);
            heardSince = Math.max(heardSince, gap.untilNanos());
        }
        return Math.max(longest, untilNanos - heardSince);
    }
}
