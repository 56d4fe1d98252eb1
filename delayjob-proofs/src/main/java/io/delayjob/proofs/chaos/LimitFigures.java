package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Account.Attempt;
import io.delayjob.proofs.chaos.RatedStarts.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a round has measured about limits and tenants, as text. Immutable. */
final class LimitFigures {

    /** If the big tenant has at least this number of due jobs, they could keep a small tenant waiting for long. */
    private static final int BACKLOG = 20;

    private final List<String> lines = new ArrayList<>();
    private int calmMinutes;
    private int turnsBehindBacklog;

    LimitFigures(Account account) {
        addMutexes(account);
        new TreeMap<>(Limits.concurrency()).forEach((kind, limit) -> addLimit(account, kind, limit));
        RatedStarts.all(account).forEach(this::addRate);
        addTurns(TenantTurn.all(account));
    }

    private void addMutexes(Account account) {
        Map<String, List<Attempt>> byMutex = LimitCheck.byMutex(account);
        List<Crowd> crowds = byMutex.values().stream()
                .map(attempts -> Crowd.of(1, attempts, account.silences()))
                .toList();
        lines.add("mutexes: %d attempts of %d mutexes, at most %d at a time, and %d starts beside a given up attempt"
                .formatted(
                        byMutex.values().stream().mapToInt(List::size).sum(),
                        byMutex.size(),
                        crowds.stream().mapToInt(Crowd::most).max().orElse(0),
                        crowds.stream().mapToInt(Crowd::excused).sum()));
    }

    private void addLimit(Account account, Kind kind, int limit) {
        List<Attempt> attempts = LimitCheck.attemptsOf(account, kind);
        Crowd crowd = Crowd.of(limit, attempts, account.silences());
        lines.add("%s of %d: %d attempts, at most %d at a time, and %d starts beside a given up attempt"
                .formatted(kind, limit, attempts.size(), crowd.most(), crowd.excused()));
    }

    private void addRate(RatedStarts starts) {
        IntSummaryStatistics calm =
                starts.calmMinutes().stream().mapToInt(Window::starts).summaryStatistics();
        calmMinutes += (int) calm.getCount();
        lines.add("%s: %d starts, at most %d in a second and %d in a minute; in %d calm minutes with a backlog %d to %d"
                .formatted(
                        starts,
                        starts.count(),
                        most(starts, LimitCheck.SECOND),
                        most(starts, LimitCheck.MINUTE),
                        calm.getCount(),
                        calm.getCount() == 0 ? 0 : calm.getMin(),
                        calm.getCount() == 0 ? 0 : calm.getMax()));
    }

    private void addTurns(List<TenantTurn> turns) {
        turnsBehindBacklog =
                (int) turns.stream().filter(turn -> turn.backlog() >= BACKLOG).count();
        lines.add(
                "tenants: %d small ones waited for their turn, %d of them behind a backlog, at most %d jobs of the big tenant overtook one, longest wait %d ms"
                        .formatted(
                                turns.size(),
                                turnsBehindBacklog,
                                turns.stream()
                                        .mapToInt(TenantTurn::overtaken)
                                        .max()
                                        .orElse(0),
                                turns.stream()
                                        .mapToLong(TenantTurn::waitedMillis)
                                        .max()
                                        .orElse(0)));
    }

    private static int most(RatedStarts starts, Duration length) {
        return starts.windows(length).stream().mapToInt(Window::starts).max().orElse(0);
    }

    int calmMinutes() {
        return calmMinutes;
    }

    int turnsBehindBacklog() {
        return turnsBehindBacklog;
    }

    @Override
    public String toString() {
        return String.join(System.lineSeparator(), lines);
    }
}
