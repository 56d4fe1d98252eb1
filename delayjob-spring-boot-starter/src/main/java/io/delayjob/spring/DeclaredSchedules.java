package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the jobs of handlers that start by themselves, once when the application starts: so a changed expression or
 * queue is written by the deployment that starts later, and by no other. As an {@link Agent} it tries again while the
 * store is away. The job of a handler which is no longer declared stays where it is.
 */
final class DeclaredSchedules implements Agent {

    private static final Logger log = LoggerFactory.getLogger(DeclaredSchedules.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private final Queue<DeclaredSchedule> pending = new ConcurrentLinkedQueue<>();
    private final BiConsumer<String, Repeat> declaring;
    private final DelayJobTransactions transactions;

    /**
     * @param declaring writes the job of a handler, by its name: {@link io.delayjob.DelayJobEngine#declare}
     * @param transactions those that jobs are written in, in case one is required
     */
    DeclaredSchedules(BiConsumer<String, Repeat> declaring, DelayJobTransactions transactions) {
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
            transactions
                    .operations()
                    .executeWithoutResult(transaction -> declaring.accept(schedule.name(), schedule.repeat()));
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
}
