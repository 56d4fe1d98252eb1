package io.delayjob.internal.attempt;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.status.StuckAttempt;
import io.delayjob.store.Vitals;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contains the attempts under way, and tells their handlers about timeouts, cancellations and a stop. The agent simply
 * checks all attempts and sets no timers, because there are at most as many attempts as slots. Thread-safe.
 */
public final class UnderWay implements Agent {

    private static final int MAX_NAMED = 20;

    /** The progress of this number of attempts fits into the vitals of the instance. */
    private static final int MAX_TOLD = 20;

    private final JobListeners listeners;
    private final EngineClock clock;
    private final long graceNanos;
    private final Runnable wake;

    private final Set<Attempt> running = ConcurrentHashMap.newKeySet();

    /** Each element ends the wait of an attempt for its transaction. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /** Jobs with a written-off attempt that has not ended. Another attempt of the job must not take a second slot. */
    private final Set<JobId> overrunning = ConcurrentHashMap.newKeySet();

    /** Jobs with a requested cancellation that have an attempt on this instance, or may get one. */
    private volatile Set<JobId> toBeCancelled = Set.of();

    private volatile boolean recalling;

    /** Monotonic time of the next check; zero if the agent checks only when it is woken up. */
    private volatile long nextNanos;

    private volatile boolean idle = true;

    public UnderWay(JobListeners listeners, EngineClock clock, Duration grace, Runnable wake) {
        this.listeners = listeners;
        this.clock = clock;
        this.graceNanos = grace.toNanos();
        this.wake = wake;
    }

    // ---- the begin and the end of attempts

    boolean isRecalling() {
        return recalling;
    }

    boolean isOverrunning(JobId job) {
        return overrunning.contains(job);
    }

    void begin(Attempt attempt) {
        running.add(attempt);
        long deadline = attempt.deadlineNanos;
        if (deadline != Long.MAX_VALUE && (idle || deadline - nextNanos < 0)) {
            wake.run();
        }
        if (recalling) {
            attempt.recall();
        }
        Job job = attempt.job();
        if (toBeCancelled.contains(job.id())) {
            attempt.requestCancel();
        }
        Duration lateness = Duration.ofNanos(
                attempt.startedNanos - clock.nanoTimeAt(job.dueAt().toEpochMilli()));
        listeners.tell(l -> l.started(job, lateness));
    }

    void addWaiting(Runnable recall) {
        waiting.add(recall);
        if (recalling) {
            recall.run();
        }
    }

    void removeWaiting(Runnable recall) {
        waiting.remove(recall);
    }

    void remove(Attempt attempt) {
        running.remove(attempt);
    }

    /** The attempt keeps its slot until it {@linkplain #endedLate ends}. */
    void overruns(Attempt attempt) {
        overrunning.add(attempt.job().id());
    }

    void endedLate(Attempt attempt) {
        overrunning.remove(attempt.job().id());
        remove(attempt);
    }

    // ---- timeouts

    @Override
    public String roleName() {
        return "timeout";
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        // Until the agent knows the next deadline, each new deadline must wake it up.
        idle = true;
        long next = Long.MAX_VALUE;
        for (Attempt attempt : running) {
            long deadline = attempt.deadlineNanos;
            if (deadline == Long.MAX_VALUE) {
                continue;
            }
            if (now - deadline >= graceNanos) {
                attempt.writeOff();
            } else if (now - deadline >= 0) {
                attempt.timeOut();
                next = Math.min(next, deadline + graceNanos - now);
            } else {
                next = Math.min(next, deadline - now);
            }
        }
        if (next == Long.MAX_VALUE) {
            return UNTIL_WOKEN;
        }
        nextNanos = now + next;
        idle = false;
        return next;
    }

    // ---- cancellations and the stop of the instance

    /**
     * Tells the attempts of these jobs that a cancellation was requested. If an attempt of a {@code held} job begins
     * before the next call of this method, this attempt is told, too.
     *
     * @param held the jobs among {@code jobs} that have an attempt on this instance, or may still get one
     * @return the jobs whose notices the store can delete
     */
    Set<JobId> requestCancel(Set<JobId> jobs, Set<JobId> held) {
        // An attempt that begins after this line sees this set; an earlier one is among the running attempts.
        toBeCancelled = held;
        Set<JobId> told = new HashSet<>(jobs);
        told.removeAll(held);
        for (Attempt attempt : running) {
            if (jobs.contains(attempt.job().id())) {
                attempt.requestCancel();
                told.add(attempt.job().id());
            }
        }
        return told;
    }

    void recall() {
        // An attempt that begins after this line sees this flag; an earlier one is among the running attempts.
        recalling = true;
        waiting.forEach(Runnable::run);
        running.forEach(Attempt::recall);
    }

    // ---- views of the attempts

    int count() {
        return running.size();
    }

    String named() {
        List<Attempt> all = running.stream()
                .sorted(Comparator.comparing((Attempt attempt) -> attempt.job().name())
                        .thenComparing(attempt -> attempt.job().id()))
                .toList();
        String named = all.stream().limit(MAX_NAMED).map(Attempt::toString).collect(Collectors.joining("; "));
        int more = all.size() - MAX_NAMED;
        return more > 0 ? "%s; and %d more".formatted(named, more) : named;
    }

    List<StuckAttempt> stuck() {
        return running.stream()
                .filter(Attempt::isWrittenOff)
                .map(this::stuck)
                .sorted(Comparator.comparing(StuckAttempt::lasting).reversed())
                .toList();
    }

    Vitals.@Nullable LongestRunning longest() {
        long now = clock.nanoTime();
        return running.stream()
                .max(Comparator.comparingLong((Attempt attempt) -> now - attempt.startedNanos)
                        .thenComparing(attempt -> attempt.job().id(), Comparator.reverseOrder()))
                .map(attempt -> new Vitals.LongestRunning(
                        attempt.job().id(),
                        attempt.job().name(),
                        clock.storeTime().minusNanos(now - attempt.startedNanos)))
                .orElse(null);
    }

    List<Vitals.Progress> progress() {
        return ofOldest(Attempt::progress);
    }

    List<Vitals.Log> logs() {
        return ofOldest(attempt -> {
            JobLog log = attempt.log();
            return log == null ? null : new Vitals.Log(attempt.job().id(), log);
        });
    }

    private <T> List<T> ofOldest(Function<Attempt, @Nullable T> report) {
        long now = clock.nanoTime();
        return running.stream()
                .filter(attempt -> report.apply(attempt) != null)
                .sorted(Comparator.comparingLong((Attempt attempt) -> attempt.startedNanos - now)
                        .thenComparing(attempt -> attempt.job().id()))
                .limit(MAX_TOLD)
                .flatMap(attempt -> Stream.ofNullable(report.apply(attempt)))
                .toList();
    }

    Optional<Attempt> at(Job job) {
        return running.stream()
                .filter(attempt ->
                        attempt.job().id().equals(job.id()) && attempt.job().attempt() == job.attempt())
                .findFirst();
    }

    private StuckAttempt stuck(Attempt attempt) {
        Job job = attempt.job();
        Duration lasting = Duration.ofNanos(clock.nanoTime() - attempt.startedNanos);
        return new StuckAttempt(job.id(), job.name(), job.run(), job.attempt(), lasting);
    }
}
