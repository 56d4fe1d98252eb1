package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the jobs of self-starting handlers, once after the start of the instance. If instances declare different
 * schedules, the instance that started last decides. If the declaration of a job is removed, the job stays in the
 * store.
 */
final class DeclaredSchedules implements Agent {

    private static final Logger log = LoggerFactory.getLogger(DeclaredSchedules.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    /**
     * Maximum number of times that one schedule is declared. Instances that start at the same time may undo each
     * other's changes.
     */
    private static final int MOST_LOOKS = 5;

    private final Queue<DeclaredSchedule> pending = new ConcurrentLinkedQueue<>();
    private final BiPredicate<String, @Nullable Repeat> declaring;
    private final DelayJobTransactions transactions;

    private Set<String> reported = Set.of();

    /**
     * @param declaring declares a job, or withdraws the job if the schedule is {@code null}; returns whether this has
     *     changed anything
     */
    DeclaredSchedules(BiPredicate<String, @Nullable Repeat> declaring, DelayJobTransactions transactions) {
        this.declaring = declaring;
        this.transactions = transactions;
    }

    void add(DeclaredSchedule schedule) {
        pending.add(schedule);
    }

    @Override
    public String roleName() {
        return "declared-schedules";
    }

    @Override
    public long doWork() {
        Map<String, Throwable> failed = new TreeMap<>();
        pending.removeIf(schedule -> isDeclared(schedule, failed));
        report(failed);
        return pending.isEmpty() ? UNTIL_WOKEN : PAUSE_AFTER_FAILURE.toNanos();
    }

    /** Returns {@code false} after a failure, so that the failure does not delay other schedules. */
    private boolean isDeclared(DeclaredSchedule schedule, Map<String, Throwable> failed) {
        try {
            boolean changed = true;
            for (int look = 0; changed && look < MOST_LOOKS; look++) {
                changed = declare(schedule);
            }
            return true;
        } catch (RuntimeException | Error failure) {
            failed.put(schedule.name(), failure);
            return false;
        }
    }

    /** Logs each failure once, because jobs are tried again every five seconds. */
    private void report(Map<String, Throwable> failed) {
        Set<String> written = new TreeSet<>(reported);
        written.removeAll(failed.keySet());
        if (!written.isEmpty()) {
            log.info("These self-starting jobs are now stored: {}.", quoted(written));
        }
        Map<String, Throwable> news = new TreeMap<>(failed);
        news.keySet().removeAll(reported);
        Map<String, Throwable> unanswered = new TreeMap<>(news);
        unanswered.values().removeIf(failure -> !(failure instanceof StoreException said && said.isTransient()));
        if (!unanswered.isEmpty()) {
            warn(unanswered.keySet(), unanswered.values().iterator().next().getMessage(), null);
        }
        news.keySet().removeAll(unanswered.keySet());
        news.forEach((name, failure) -> warn(Set.of(name), failure.toString(), failure));
        reported = Set.copyOf(failed.keySet());
    }

    private static void warn(Set<String> names, @Nullable String reason, @Nullable Throwable stack) {
        log.warn(
                "Self-starting jobs that cannot be stored yet: {}. delayjob tries again every {}. The reason: {}",
                quoted(names),
                ReadableDuration.of(PAUSE_AFTER_FAILURE),
                reason,
                stack);
    }

    private static String quoted(Set<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    private boolean declare(DeclaredSchedule schedule) {
        return Boolean.TRUE.equals(
                transactions.operations().execute(transaction -> declaring.test(schedule.name(), schedule.repeat())));
    }
}
