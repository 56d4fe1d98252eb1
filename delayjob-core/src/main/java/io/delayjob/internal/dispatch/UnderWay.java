package io.delayjob.internal.dispatch;

import static java.util.Objects.requireNonNull;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.status.StuckAttempt;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts under way: how they begin, and what becomes of them. Thread-safe. */
public final class UnderWay {

    private static final Logger log = LoggerFactory.getLogger(UnderWay.class);

    /** A job that was due is ahead of its time by more than this only when the store's clock was set back. */
    private static final long SET_BACK_MILLIS = 250;

    /** Maximum number of attempts that a line of the log names. */
    private static final int MAX_NAMED = 20;

    private final Standing standing;
    private final Recorder recorder;
    private final TimeoutWatch timeouts;
    private final EngineClock clock;
    private final JobListeners listeners;

    /**
     * Jobs with an attempt that was written off here and has not ended: each has cost a slot, and may not cost another.
     */
    private final Set<JobId> overrunning = ConcurrentHashMap.newKeySet();

    /** Calls of atomic handlers; those that wait for their transaction have not begun. */
    private final Set<AtomicCall> atomicCalls = ConcurrentHashMap.newKeySet();

    /** Jobs whose cancellation was asked for and which may have been held here without having begun. */
    private volatile Set<JobId> toBeCancelled = Set.of();

    private volatile boolean recalling;

    public UnderWay(
            Standing standing, Recorder recorder, TimeoutWatch timeouts, EngineClock clock, JobListeners listeners) {
        this.standing = standing;
        this.recorder = recorder;
        this.timeouts = timeouts;
        this.clock = clock;
        this.listeners = listeners;
    }

    /** Whether attempts may begin: the instance does not stop, and the store's clock was not set back meanwhile. */
    boolean mayBegin(Job job) {
        return !recalling && job.dueAt().toEpochMilli() - clock.storeMillis() <= SET_BACK_MILLIS;
    }

    /** Whether the instance is alive to the others, so that what it has claimed may start. */
    boolean mayStart(Job job) {
        return standing.mayStart(job.owner());
    }

    /** Whether a former attempt of this job has not ended, although it was written off. */
    boolean isOverrunning(JobId job) {
        return overrunning.contains(job);
    }

    /** From here on its time runs. */
    void begin(Attempt attempt) {
        timeouts.add(attempt);
        if (recalling) {
            attempt.recall();
        }
        if (toBeCancelled.contains(attempt.id())) {
            attempt.requestCancel();
        }
        Job job = attempt.job();
        Duration lateness =
                Duration.ofNanos(clock.nanoTime() - clock.nanoTimeAt(job.dueAt().toEpochMilli()));
        listeners.tell(l -> l.started(job, lateness));
    }

    void add(AtomicCall call) {
        atomicCalls.add(call);
        if (recalling) {
            call.recall();
        }
    }

    void remove(AtomicCall call) {
        atomicCalls.remove(call);
        call.leave();
    }

    void ended(Attempt attempt, JobOutcome outcome) {
        try {
            recorder.ended(attempt, outcome);
        } finally {
            timeouts.remove(attempt);
        }
    }

    void endedLate(Attempt attempt) {
        overrunning.remove(attempt.id());
        recorder.endedLate(attempt.id());
        timeouts.remove(attempt);
    }

    void forget(Attempt attempt) {
        timeouts.remove(attempt);
    }

    void writtenOff(Attempt attempt, JobOutcome.TimedOut outcome) {
        log.warn(
                "Job {} ({}) did not end within its time-out of {} and is written off; its thread keeps its slot until it ends, and only other instances try the job again until then.",
                attempt.id(),
                attempt.name(),
                ReadableDuration.of(requireNonNull(attempt.rules().timeout())));
        overrunning.add(attempt.id());
        recorder.writtenOff(attempt, outcome);
    }

    /**
     * Lets those of these jobs that are under way, or begin before the next call, know that somebody has asked to
     * cancel them.
     *
     * @param held those that an attempt may still be made of
     * @return the jobs of which nothing is left to be told: those under way, and those that no attempt is made of any
     *     more
     */
    Set<JobId> requestCancel(Set<JobId> jobs, Set<JobId> held) {
        // An attempt that begins later sees this; one that has begun before is among the running.
        toBeCancelled = held;
        Set<JobId> told = new HashSet<>(jobs);
        told.removeAll(held);
        for (Attempt attempt : running()) {
            if (jobs.contains(attempt.id())) {
                attempt.requestCancel();
                told.add(attempt.id());
            }
        }
        return told;
    }

    /** Interrupts all attempts, and all that begin from now on: the instance stops. */
    void recall() {
        // An attempt that comes later sees this; one that has come before is among the running.
        recalling = true;
        atomicCalls.forEach(AtomicCall::recall);
        running().forEach(Attempt::recall);
    }

    /** The attempts by name, for the log: at most so many that they fit a line. */
    String named() {
        List<Attempt> running = running().stream()
                .sorted(Comparator.comparing(Attempt::name).thenComparing(Attempt::id))
                .toList();
        String named = running.stream().limit(MAX_NAMED).map(Attempt::toString).collect(Collectors.joining("; "));
        int more = running.size() - MAX_NAMED;
        return more > 0 ? "%s; and %d more".formatted(named, more) : named;
    }

    Collection<Attempt> running() {
        return timeouts.running();
    }

    /** Attempts that were written off and have not ended, the oldest first. */
    List<StuckAttempt> stuck() {
        return running().stream()
                .filter(Attempt::isWrittenOff)
                .map(attempt -> new StuckAttempt(
                        attempt.id(), attempt.name(), attempt.run(), attempt.attempt(), recorder.took(attempt)))
                .sorted(Comparator.comparing(StuckAttempt::lasting).reversed())
                .toList();
    }
}
