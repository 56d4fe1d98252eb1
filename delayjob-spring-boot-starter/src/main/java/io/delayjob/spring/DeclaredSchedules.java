package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the jobs of handlers that start by themselves, once when the application starts: so a changed expression or
 * queue is written by the deployment that starts later, and by no other. As an {@link Agent} it tries again while the
 * store is away.
 *
 * <p>A job that somebody cancelled stays cancelled; that of a handler which is no longer declared stays where it is.
 */
final class DeclaredSchedules implements Agent {

    private static final Logger log = LoggerFactory.getLogger(DeclaredSchedules.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private final Queue<DeclaredSchedule> pending = new ConcurrentLinkedQueue<>();
    private final DelayJobOperations operations;
    private final DelayJobTransactions transactions;

    /** @param transactions those that jobs are written in, in case one is required */
    DeclaredSchedules(DelayJobOperations operations, DelayJobTransactions transactions) {
        this.operations = operations;
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
            transactions.operations().executeWithoutResult(transaction -> declare(schedule));
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

    private void declare(DeclaredSchedule schedule) {
        List<Job> known = Stream.concat(Stream.of(schedule.name()), schedule.formerNames().stream())
                .flatMap(name -> operations.find(name, Job.DECLARED_KEY).stream())
                .toList();
        if (!known.isEmpty() && isToBeLeft(known.get(0), schedule)) {
            return;
        }
        known.stream().filter(job -> !job.state().isEnded()).forEach(job -> tellChange(job, schedule));
        // Of instances that start together the first one writes it; only a job that is there, and other, is replaced.
        boolean waits = known.stream().anyMatch(job -> !job.state().isEnded());
        operations
                .schedule(schedule.name())
                .queue(schedule.queue())
                .key(Job.DECLARED_KEY, waits ? OnExisting.REPLACE : OnExisting.KEEP)
                .repeat(schedule.repeat());
        known.stream()
                .filter(job ->
                        !job.name().equals(schedule.name()) && !job.state().isEnded())
                .forEach(job -> operations.cancel(job.id()));
    }

    private static boolean isToBeLeft(Job job, DeclaredSchedule schedule) {
        if (job.state() == JobState.CANCELLED) {
            log.warn(
                    "Job '{}', which is to start by itself, was cancelled by hand and stays so: to bring it back, schedule it by its name with the key '{}'.",
                    schedule.name(),
                    Job.DECLARED_KEY);
            return true;
        }
        return !job.state().isEnded()
                && job.name().equals(schedule.name())
                && schedule.repeat().toText().equals(job.schedule())
                && schedule.queue().equals(job.partition().queue());
    }

    private static void tellChange(Job stored, DeclaredSchedule declared) {
        log.info(
                "Job '{}' repeats as this version declares it, {} in queue '{}'; stored was '{}', {} in queue '{}'. Its runs are counted anew.",
                declared.name(),
                declared.repeat(),
                declared.queue(),
                stored.name(),
                stored.schedule(),
                stored.partition().queue());
    }
}
