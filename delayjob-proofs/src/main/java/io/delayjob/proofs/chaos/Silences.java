package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The times at which the processes of a round were silent. A process is silent after a fault, on a busy machine, or if
 * the database does not answer.
 */
final class Silences {

    /** If a process is still stopping after this time, it no longer writes outcomes of attempts. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private record Gap(String worker, long fromNanos, long untilNanos) {

        /** The note of the line contains the length of the gap in milliseconds. */
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
     * Tells whether other instances may have treated this process as dead.
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
     * Only a silence that ends after {@code sinceNanos} matters. A killed process is not silent, because its attempts
     * have ended.
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
     * There was no fault from {@code settledNanos} to {@code untilNanos}, and no silence from {@code fromNanos} to
     * {@code untilNanos}.
     */
    boolean isUndisturbed(String worker, long settledNanos, long fromNanos, long untilNanos) {
        return faults.stream()
                        .filter(fault -> fault.kind().isOfServer() || fault.isOn(worker))
                        .noneMatch(fault -> fault.overlaps(settledNanos, untilNanos))
                && gaps(worker, fromNanos, untilNanos).findAny().isEmpty();
    }

    /**
     * If a process stops while the database does not answer, its last outcomes may remain unwritten. The process may
     * also remain registered.
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

    /** Counts the silences that did not occur during an injected fault. */
    long unplanned() {
        return silences.stream()
                .filter(gap -> gap.length() >= leastNanos())
                .filter(gap -> faults.stream()
                        .filter(fault -> fault.kind().isOfServer() || fault.isOn(gap.worker()))
                        .noneMatch(fault -> fault.overlaps(gap.fromNanos(), gap.untilNanos())))
                .count();
    }

    /**
     * If a process is silent for this time, others may treat it as dead. The time begins just before the last heartbeat
     * of the process.
     */
    long leastNanos() {
        return profile.liveness().toNanos() / 10 * 8;
    }

    /**
     * A failover loses the newest leases, but their owners still rely on these leases. So the failover affects the
     * instances for the duration of one more lease.
     */
    private long endOf(Fault fault) {
        return fault.kind() == FaultKind.FAILOVER
                ? fault.endedNanos() + profile.lease().toNanos()
                : fault.endedNanos();
    }

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
