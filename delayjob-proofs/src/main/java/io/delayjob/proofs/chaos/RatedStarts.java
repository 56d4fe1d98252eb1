package io.delayjob.proofs.chaos;

import io.delayjob.handler.RateLimit;
import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.Account.JobAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The starts of all attempts that count towards one rate. Immutable. */
final class RatedStarts {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration BETWEEN_MINUTES = Duration.ofSeconds(1);

    /** Time after a fault in which partitions may still change their leader. */
    private static final Duration UNTIL_CALM = Duration.ofSeconds(10);

    /**
     * Length of a backlog: the time that the waiting jobs need at the rate. If the backlog is longer, no instance runs
     * out of jobs.
     */
    private static final Duration BACKLOG = Duration.ofSeconds(3);

    private static final double ROUNDING = 1e-9;

    /**
     * Allowed number of starts above the rate of a key. One token may be reserved before the window, and a change of
     * the leader may cause one more start.
     */
    private static final int BEYOND_RATE_OF_KEY = 2;

    record Window(long fromNanos, int starts, int processes) {}

    private final Silences silences;
    private final Kind kind;
    private final @Nullable String key;
    private final RateLimit rate;
    private final List<Attempt> starts;

    /** For each start, the number of jobs that were due but had not yet started. */
    private final List<Integer> backlogs = new ArrayList<>();

    private RatedStarts(Silences silences, Kind kind, @Nullable String key, RateLimit rate, List<JobAccount> jobs) {
        this.silences = silences;
        this.kind = kind;
        this.key = key;
        this.rate = rate;
        this.starts = startsOf(jobs, silences);
        List<Long> dues = starts.stream().map(Attempt::dueNanos).sorted().toList();
        int due = 0;
        for (int start = 0; start < starts.size(); start++) {
            while (due < dues.size() && dues.get(due) <= starts.get(start).startedNanos()) {
                due++;
            }
            backlogs.add(due - start - 1);
        }
    }

    static List<RatedStarts> all(Account account) {
        List<RatedStarts> all = new ArrayList<>();
        new TreeMap<>(Limits.rates()).forEach((kind, rate) -> {
            Map<Optional<String>, List<JobAccount>> byKey = new HashMap<>();
            account.jobs().stream()
                    .filter(job -> job.kind == kind)
                    .forEach(job -> byKey.computeIfAbsent(
                                    Optional.ofNullable(Limits.rateKeyOf(kind, job.number)),
                                    unused -> new ArrayList<>())
                            .add(job));
            byKey.forEach(
                    (key, jobs) -> all.add(new RatedStarts(account.silences(), kind, key.orElse(null), rate, jobs)));
        });
        return all;
    }

    /**
     * In the order of time. Starts directly after a silence are not counted, because they may use tokens from before
     * the silence.
     */
    private static List<Attempt> startsOf(List<JobAccount> jobs, Silences silences) {
        return jobs.stream()
                .flatMap(job -> job.attempts.stream())
                .filter(attempt -> !silences.mayBeGivenUp(
                        attempt.worker(), attempt.startedNanos() - Crowd.CALLED_LATE.toNanos(), attempt.startedNanos()))
                .sorted(Comparator.comparingLong(Attempt::startedNanos))
                .toList();
    }

    int count() {
        return starts.size();
    }

    long allowed(Duration length, int processes) {
        int beyond = key == null ? processes : BEYOND_RATE_OF_KEY;
        return (long) (rate.burst() + rate.startsPerNano() * length.toNanos() + beyond + ROUNDING);
    }

    /**
     * For each start, returns the longest window that ends with this start. A window is at most {@code length} long.
     */
    List<Window> windows(Duration length) {
        List<Window> windows = new ArrayList<>();
        Map<String, Integer> byProcess = new HashMap<>();
        int first = 0;
        for (int last = 0; last < starts.size(); last++) {
            byProcess.merge(starts.get(last).worker(), 1, Integer::sum);
            while (starts.get(last).startedNanos() - starts.get(first).startedNanos() > length.toNanos()) {
                byProcess.merge(starts.get(first).worker(), -1, Integer::sum);
                byProcess.remove(starts.get(first).worker(), 0);
                first++;
            }
            windows.add(new Window(starts.get(first).startedNanos(), last - first + 1, byProcess.size()));
        }
        return windows;
    }

    /**
     * The minutes overlap. One minute begins at the first start, and another minute begins at every second after that.
     */
    List<Window> calmMinutes() {
        List<Window> minutes = new ArrayList<>();
        if (starts.isEmpty()) {
            return minutes;
        }
        long end = starts.get(starts.size() - 1).startedNanos() - MINUTE.toNanos();
        for (long from = starts.get(0).startedNanos(); from <= end; from += BETWEEN_MINUTES.toNanos()) {
            if (silences.isCalm(from - UNTIL_CALM.toNanos(), from + MINUTE.toNanos())) {
                addIfBusy(from, minutes);
            }
        }
        return minutes;
    }

    private void addIfBusy(long from, List<Window> minutes) {
        long enough = (long) (rate.startsPerNano() * BACKLOG.toNanos());
        int count = 0;
        for (int start = 0; start < starts.size(); start++) {
            long sinceFrom = starts.get(start).startedNanos() - from;
            if (sinceFrom >= 0 && sinceFrom < MINUTE.toNanos()) {
                if (backlogs.get(start) < enough) {
                    return;
                }
                count++;
            }
        }
        minutes.add(new Window(from, count, 0));
    }

    double inAMinute() {
        return rate.startsPerNano() * MINUTE.toNanos();
    }

    @Override
    public String toString() {
        return (key == null ? kind : kind + " of " + key) + ", " + rate;
    }
}
