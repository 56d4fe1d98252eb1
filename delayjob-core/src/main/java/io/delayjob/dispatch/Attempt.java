package io.delayjob.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.schedule.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One start of a handler for a job. It ends exactly once: by itself, or, when it kept neither its time-out nor the grace
 * after its interruption, by being written off; what it does afterwards is only noted.
 *
 * <p>Thread-safe: the worker runs it, the time-out watch interrupts it, a completion stage may end it on any thread.
 */
final class Attempt implements JobContext {

    private enum Phase {
        RUNNING,
        WRITTEN_OFF,
        ENDED
    }

    private final Job job;
    private final Plan plan;
    private final Misfire.@Nullable Merged merged;
    private final long startedNanos;
    private final long deadlineNanos;

    private Phase phase = Phase.RUNNING;
    private @Nullable Thread thread;
    private volatile boolean interrupted;
    private volatile boolean timedOut;

    Attempt(Job job, Plan plan, Misfire.@Nullable Merged merged, long startedNanos) {
        this.job = job;
        this.plan = plan;
        this.merged = merged;
        this.startedNanos = startedNanos;
        Duration timeout = plan.timeout();
        this.deadlineNanos = timeout == null ? Long.MAX_VALUE : startedNanos + timeout.toNanos();
    }

    /**
     * Calls the handler, and tells the outcome: on this thread before it returns, or later on the thread that completes the
     * handler's stage.
     */
    void call(List<@Nullable Object> arguments, BiConsumer<Attempt, JobOutcome> ended) {
        Handler handler = plan.handler();
        Object result;
        occupy(Thread.currentThread());
        try {
            result = handler.body().handle(arguments, this);
        } catch (Throwable thrown) {
            vacate();
            ended.accept(this, failed(thrown));
            return;
        }
        vacate();
        if (result instanceof CompletionStage<?> stage) {
            stage.whenComplete((value, thrown) ->
                    ended.accept(this, thrown == null ? succeeded(value) : failed(unwrapped(thrown))));
        } else {
            ended.accept(this, succeeded(result));
        }
    }

    private static JobOutcome succeeded(@Nullable Object result) {
        return result instanceof Next next ? next.outcome() : Next.asPlanned().outcome();
    }

    private JobOutcome failed(Throwable thrown) {
        Failure failure = timedOut
                ? Failure.of("TimedOut", "interrupted after its time-out of " + plan.timeout() + ": " + thrown)
                : Failure.of(thrown);
        return new JobOutcome.Failed(failure, plan.mayRetry(thrown));
    }

    private static Throwable unwrapped(Throwable thrown) {
        boolean wrapper = thrown instanceof CompletionException && !(thrown instanceof CancellationException);
        Throwable cause = thrown.getCause();
        return wrapper && cause != null ? cause : thrown;
    }

    private synchronized void occupy(Thread worker) {
        thread = worker;
    }

    /** The worker goes on to other jobs: an interruption meant for this attempt must not reach them. */
    private synchronized void vacate() {
        thread = null;
        boolean swallowed = Thread.interrupted();
        interrupted |= swallowed;
    }

    /** Asks the handler to come to its end. */
    synchronized void interrupt() {
        if (!interrupted) {
            interrupted = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** As {@link #interrupt()}, for the reason that its time is up. */
    void timeOut() {
        timedOut = true;
        interrupt();
    }

    /** Whether this call ended it; {@code false}: it had been written off before. */
    synchronized boolean end() {
        boolean first = phase == Phase.RUNNING;
        phase = Phase.ENDED;
        return first;
    }

    /** Whether this call wrote it off; {@code false}: it has ended, or was written off before. */
    synchronized boolean writeOff() {
        boolean first = phase == Phase.RUNNING;
        if (first) {
            phase = Phase.WRITTEN_OFF;
        }
        return first;
    }

    JobOutcome.TimedOut writtenOff() {
        return new JobOutcome.TimedOut(
                Failure.of(
                        "TimedOut",
                        "did not end within its time-out of %s, nor soon after its interruption; it may still be under way"
                                .formatted(plan.timeout())),
                plan.mayRetryLost());
    }

    Job job() {
        return job;
    }

    Plan plan() {
        return plan;
    }

    Misfire.@Nullable Merged merged() {
        return merged;
    }

    /** Monotonic time of its time-out; {@link Long#MAX_VALUE} when it has none. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    long startedNanos() {
        return startedNanos;
    }

    boolean hasTimedOut() {
        return timedOut;
    }

    @Override
    public JobId id() {
        return job.id();
    }

    @Override
    public String name() {
        return job.name();
    }

    @Override
    public @Nullable String key() {
        return job.key();
    }

    @Override
    public int run() {
        return job.run();
    }

    @Override
    public int attempt() {
        return job.attempt();
    }

    @Override
    public int failures() {
        return job.failures();
    }

    @Override
    public Instant plannedAt() {
        return job.plannedAt();
    }

    @Override
    public Instant dueAt() {
        return job.dueAt();
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }
}
