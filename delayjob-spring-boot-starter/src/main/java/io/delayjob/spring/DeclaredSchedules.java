package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the jobs of handlers that start by themselves, once when the application starts: so a changed expression or
 * queue is written by the deployment that starts later, and by no other. After each change it looks once more: another
 * instance may have made its own at the same time. As an {@link Agent} it tries again while the store is away. The job
 * of a handler which is no longer declared stays where it is; one that is switched off is withdrawn.
 */
final class DeclaredSchedules implements Agent {

    private static final Logger log = LoggerFactory.getLogger(DeclaredSchedules.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    /** Instances that start at once may undo what the other has just done. */
    private static final int MOST_LOOKS = 5;

    private final Queue<DeclaredSchedule> pending = new ConcurrentLinkedQueue<>();
    private final BiPredicate<String, @Nullable Repeat> declaring;
    private final DelayJobTransactions transactions;

    /**
     * @param declaring writes the job of a handler, by its name, or withdraws it where there is no schedule, and tells
     *     whether it has changed anything: {@link io.delayjob.DelayJobEngine#declare}, {@link
     *     io.delayjob.DelayJobEngine#undeclare}
     * @param transactions those that jobs are written in, in case one is required
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
        pending.removeIf(this::isDeclared);
        return pending.isEmpty() ? UNTIL_WOKEN : PAUSE_AFTER_FAILURE.toNanos();
    }

    /** One that cannot be written holds up no other. */
    private boolean isDeclared(DeclaredSchedule schedule) {
        try {
            boolean changed = true;
            for (int look = 0; changed && look < MOST_LOOKS; look++) {
                changed = declare(schedule);
            }
            return true;
        } catch (RuntimeException failure) {
            log.warn(
                    "Job '{}', which is to start by itself, cannot be written yet and is tried again in {}: {}",
                    schedule.name(),
                    PAUSE_AFTER_FAILURE,
                    failure.toString());
            return false;
        }
    }

    private boolean declare(DeclaredSchedule schedule) {
        return Boolean.TRUE.equals(
                transactions.operations().execute(transaction -> declaring.test(schedule.name(), schedule.repeat())));
    }
}
