package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Contains the times when the processes of a round were silent. The cause of a silence is a fault, a machine that did
 * not run the process, or a database that did not answer. The ledgers show when a machine did not run the process, and
 * when a database did not answer.
 */
final class Silences {

    /**
     * Maximum time that a stop of a process takes. After this time, a process no longer tries to write its outcomes.
     */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    /** During this period, a process did not run, or got no answer. */
    private record Gap(String worker, long fromNanos, long untilNanos) {

        /**
         * The process writes this line at the end of the gap. The note of the line is the length of the gap in
         * milliseconds.
         */
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

    private final Profile profile;
    private final List<Fault> faults;
    private final List<Gap> hiccups = new ArrayList<>();
    private final List<Gap> silences = new ArrayList<>();
    private final List<Gap> stops = new ArrayList<>();

    Silences(Profile profile, List<Fault> faults) {
        this.profile = profile;
        this.faults = faults;
    }

    void read(String worker, LedgerLine line) {
        switch (line.event()) {
            case HICCUP -> hiccups.add(Gap.before(worker, line));
            case SILENCE -> silences.add(Gap.before(worker, line));
            case STOPPING -> stops.add(new Gap(worker, line.nanos(), Account.NEVER));
            default -> {}
        }
    }

    /**
     * Tells whether other instances may have treated this process as dead. The result is {@code true} if a silence of
     * at least this length overlaps the given period. Such a silence has one of four causes. There was a fault on the
     * process. The machine did not run the process. The process's heartbeats got no answer, because the database was
     * restarted or the machine was busy. Or the process stopped while the database was unavailable.
     */
    boolean wasSilenced(String worker, long fromNanos, long untilNanos, long atLeastNanos) {
        return faults.stream()
                        .filter(fault -> fault.kind().silences() && fault.isOn(worker))
                        .filter(fault ->
                                fault.kind() == FaultKind.KILL || fault.length().toNanos() >= atLeastNanos)
                        .anyMatch(fault -> fault.overlaps(fromNanos, untilNanos))
                || gaps(worker, fromNanos, untilNanos)
                        .anyMatch(gap -> gap.length() >= Math.max(atLeastNanos, leastNanos()))
                || stops.stream()
                        .filter(stop -> stop.isOf(worker) && stop.overlaps(fromNanos, untilNanos))
                        .anyMatch(this::isWithoutDatabase);
    }

    /**
     * Tells whether other instances may have removed this process from the register by {@code atNanos}, because it was
     * silent for too long. The silence must end after {@code sinceNanos}, but need not last until {@code atNanos}. A
     * killed process does not count as silent, because its attempts are over.
     */
    boolean mayBeGivenUp(String worker, long sinceNanos, long atNanos) {
        Stream<Gap> ofFaults = faults.stream()
                .filter(fault -> fault.kind().silences() && fault.kind() != FaultKind.KILL && fault.isOn(worker))
                .map(fault -> new Gap(worker, fault.beganNanos(), fault.endedNanos()));
        return Stream.concat(ofFaults, gaps(worker, sinceNanos, atNanos))
                        .filter(gap -> gap.length() >= leastNanos())
                        .anyMatch(gap -> gap.untilNanos() > sinceNanos && gap.fromNanos() + leastNanos() <= atNanos)
                || stops.stream()
                        .filter(stop -> stop.isOf(worker) && stop.fromNanos() + leastNanos() <= atNanos)
                        .anyMatch(this::isWithoutDatabase);
    }

    boolean isCalm(long fromNanos, long untilNanos) {
        return faults.stream().noneMatch(fault -> fault.overlaps(fromNanos, untilNanos))
                && Stream.concat(hiccups.stream(), silences.stream())
                        .filter(gap -> gap.length() >= leastNanos())
                        .noneMatch(gap -> gap.overlaps(fromNanos, untilNanos));
    }

    /**
     * Tells whether two conditions hold. The server and this process had no fault from {@code settledNanos} to {@code
     * untilNanos}. And the process was never silent from {@code fromNanos} to {@code untilNanos}.
     */
    boolean isUndisturbed(String worker, long settledNanos, long fromNanos, long untilNanos) {
        return faults.stream()
                        .filter(fault -> fault.kind().isOfServer() || fault.isOn(worker))
                        .noneMatch(fault -> fault.overlaps(settledNanos, untilNanos))
                && gaps(worker, fromNanos, untilNanos).findAny().isEmpty();
    }

    /**
     * Tells whether the database was in trouble while a process stopped. The process may then have failed to write its
     * last outcomes and to leave the register.
     */
    private boolean isWithoutDatabase(Gap stop) {
        return faults.stream()
                .filter(fault -> fault.kind().isOfServer())
                .anyMatch(restart -> restart.overlaps(stop.fromNanos(), stop.fromNanos() + LONGEST_STOP.toNanos()));
    }

    private Stream<Gap> gaps(String worker, long fromNanos, long untilNanos) {
        return Stream.concat(hiccups.stream(), silences.stream())
                .filter(gap -> gap.isOf(worker) && gap.overlaps(fromNanos, untilNanos));
    }

    /**
     * Returns how often a process was silent for so long that other instances may have treated it as dead. Silences
     * during an injected fault are left out.
     */
    long unplanned() {
        return silences.stream()
                .filter(gap -> gap.length() >= leastNanos())
                .filter(gap -> faults.stream()
                        .filter(fault -> fault.kind().isOfServer() || fault.isOn(gap.worker()))
                        .noneMatch(fault -> fault.overlaps(gap.fromNanos(), gap.untilNanos())))
                .count();
    }

    /**
     * Returns a minimum time of silence. If a process is silent for at least this time, other processes may treat it as
     * dead. A silence begins just before the last heartbeat of the process.
     */
    long leastNanos() {
        return profile.liveness().toNanos() / 10 * 8;
    }

    /**
     * Returns the time at which a fault no longer has an effect. A failover loses the newest leases, but the processes
     * that hold these leases trust them until the leases end. So a failover has an effect for the duration of one more
     * lease.
     */
    private long endOf(Fault fault) {
        return fault.kind() == FaultKind.FAILOVER
                ? fault.endedNanos() + profile.lease().toNanos()
                : fault.endedNanos();
    }

    /**
     * Looks for periods between these two times in which this process ran and could reach the database without an
     * interruption. Returns the length of the longest period.
     */
    long longestWithout(String worker, long fromNanos, long untilNanos) {
        Stream<Gap> ofFaults = faults.stream()
                .filter(fault -> fault.kind().isOfServer() || fault.kind().silences() && fault.isOn(worker))
                .map(fault -> new Gap(worker, fault.beganNanos(), endOf(fault)))
                .filter(gap -> gap.overlaps(fromNanos, untilNanos));
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
