package io.delayjob.internal.attempt;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attempts under way. This class tells their handlers of time-outs, cancellations and a stop. The class is an
 * agent, which interrupts attempts at their time-out. If an attempt does not end within the grace period after that,
 * the agent writes it off. It checks all attempts instead of using a timer for each, because there are at most as many
 * attempts as slots. Thread-safe.
 */
public final class UnderWay implements Agent {

    /** Maximum number of attempts in a line of the log. */
    private static final int MAX_NAMED = 20;

    /** Maximum number of attempts whose progress is reported. So the text fits into the vitals of the instance. */
    private static final int MAX_TOLD = 20;

    private final JobListeners listeners;
    private final EngineClock clock;
    private final long graceNanos;
    private final Runnable wake;

    private final Set<Attempt> running = ConcurrentHashMap.newKeySet();

    /** The attempts that have not begun and wait for a transaction. Running an element ends its wait. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /**
     * Jobs whose attempt timed out on this instance, was written off, and has not ended. This attempt still takes a
     * slot, so another attempt of the same job must not take a second slot.
     */
    private final Set<JobId> overrunning = ConcurrentHashMap.newKeySet();

    /** Jobs with a requested cancellation that this instance may have claimed, and that have no attempt under way. */
    private volatile Set<JobId> toBeCancelled = Set.of();

    private volatile boolean recalling;

    /** Monotonic time of the agent's next check; zero if the agent checks only when woken. */
    private volatile long nextNanos;

    private volatile boolean idle = true;

    /**
     * @param grace time within which interrupted attempts must end
     * @param wake wakes this agent
     */
    public UnderWay(JobListeners listeners, EngineClock clock, Duration grace, Runnable wake) {
        this.listeners = listeners;
        this.clock = clock;
        this.graceNanos = grace.toNanos();
        this.wake = wake;
    }

    // ---- beginning and end

    /** Tells whether the instance stops, so that nothing may begin. */
    boolean isRecalling() {
        return recalling;
    }

    /** Tells whether an earlier attempt of this job timed out, was written off, and has not ended. */
    boolean isOverrunning(JobId job) {
        return overrunning.contains(job);
    }

    /** Begins the attempt. Its time-out counts from now. */
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

    /** Adds an attempt that waits for a transaction. A stop ends its wait until {@link #removeWaiting} is called. */
    void addWaiting(Runnable recall) {
        waiting.add(recall);
        if (recalling) {
            recall.run();
        }
    }

    void removeWaiting(Runnable recall) {
        waiting.remove(recall);
    }

    /** Removes the attempt. */
    void remove(Attempt attempt) {
        running.remove(attempt);
    }

    /**
     * Records that the attempt was written off, because it did not end after its time-out. It keeps its slot until it
     * {@linkplain #endedLate ends}.
     */
    void overruns(Attempt attempt) {
        overrunning.add(attempt.job().id());
    }

    void endedLate(Attempt attempt) {
        overrunning.remove(attempt.job().id());
        remove(attempt);
    }

    // ---- time-outs

    @Override
    public String roleName() {
        return "timeout";
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        // From here until the agent knows the next deadline, each new deadline wakes the agent.
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

    // ---- cancellations and the stop

    /**
     * Tells the attempts of these jobs that their cancellation was requested. This includes attempts that begin before
     * the next call of this method.
     *
     * @param held jobs of which an attempt may still follow
     * @return the jobs whose notices are no longer needed: their attempts were told, or they get no further attempt on
     *     this instance
     */
    Set<JobId> requestCancel(Set<JobId> jobs, Set<JobId> held) {
        // An attempt that begins later sees this set. An attempt that began before is among the running attempts.
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

    /** Interrupts all attempts, including attempts that begin from now on, because the instance stops. */
    void recall() {
        // An attempt that begins later sees this flag. An attempt that began before is among the running attempts.
        recalling = true;
        waiting.forEach(Runnable::run);
        running.forEach(Attempt::recall);
    }

    // ---- look

    int count() {
        return running.size();
    }

    /** Returns a limited number of attempts as text for one line of the log. */
    String named() {
        List<Attempt> all = running.stream()
                .sorted(Comparator.comparing((Attempt attempt) -> attempt.job().name())
                        .thenComparing(attempt -> attempt.job().id()))
                .toList();
        String named = all.stream().limit(MAX_NAMED).map(Attempt::toString).collect(Collectors.joining("; "));
        int more = all.size() - MAX_NAMED;
        return more > 0 ? "%s; and %d more".formatted(named, more) : named;
    }

    /** Returns the attempts that were written off and have not ended, the oldest first. */
    List<StuckAttempt> stuck() {
        return running.stream()
                .filter(Attempt::isWrittenOff)
                .map(this::stuck)
                .sorted(Comparator.comparing(StuckAttempt::lasting).reversed())
                .toList();
    }

    /**
     * Returns the attempt that began first; {@code null} if none is under way. This includes attempts that were written
     * off, because they keep their slots.
     */
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

    /**
     * Returns the progress that attempts have reported. If there are many attempts, returns only the progress of the
     * oldest.
     */
    List<Vitals.Progress> progress() {
        long now = clock.nanoTime();
        return running.stream()
                .filter(attempt -> attempt.progress() != null)
                .sorted(Comparator.comparingLong((Attempt attempt) -> attempt.startedNanos - now)
                        .thenComparing(attempt -> attempt.job().id()))
                .limit(MAX_TOLD)
                .flatMap(attempt -> Optional.ofNullable(attempt.progress()).stream())
                .toList();
    }

    private StuckAttempt stuck(Attempt attempt) {
        Job job = attempt.job();
        Duration lasting = Duration.ofNanos(clock.nanoTime() - attempt.startedNanos);
        return new StuckAttempt(job.id(), job.name(), job.run(), job.attempt(), lasting);
    }
}
