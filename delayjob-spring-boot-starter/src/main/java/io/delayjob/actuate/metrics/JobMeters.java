package io.delayjob.actuate.metrics;

import io.delayjob.event.JobListener;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what happens to jobs. Names that are no handler's are tagged {@code UNKNOWN}: they come from outside, and may
 * be any number.
 */
final class JobMeters implements JobListener {

    private static final String UNKNOWN = "UNKNOWN";

    private static final Duration[] LATENESS_BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10)
    };

    private final MeterRegistry registry;
    private final HandlerRegistry handlers;
    private final Map<String, Timer> lateness = new ConcurrentHashMap<>();

    JobMeters(MeterRegistry registry, HandlerRegistry handlers) {
        this.registry = registry;
        this.handlers = handlers;
    }

    @Override
    public void scheduled(String name, int count) {
        counter("delayjob.scheduled", "Jobs written, kept ones included", "job", known(name))
                .increment(count);
    }

    @Override
    public void cancelled(CancelResult result) {
        counter("delayjob.cancelled", "Cancellations, by what they found", "result", result.name())
                .increment();
    }

    @Override
    public void started(Job job, Duration late) {
        lateness.computeIfAbsent(known(job.name()), this::latenessTimer).record(late);
    }

    private Timer latenessTimer(String name) {
        return Timer.builder("delayjob.lateness")
                .description("Start of an attempt minus its due time")
                .tag("job", name)
                .serviceLevelObjectives(LATENESS_BUCKETS)
                .register(registry);
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        if (outcome instanceof JobOutcome.Snoozed) {
            counter("delayjob.snoozed", "Runs that their handler put off", "job", known(job.name()))
                    .increment();
        }
        if (outcome instanceof JobOutcome.Failed || outcome instanceof JobOutcome.TimedOut) {
            boolean retried = next instanceof Transition.Again again && again.run() == job.run();
            String name = known(job.name());
            if (retried) {
                counter("delayjob.retries", "Failed attempts that are made again", "job", name)
                        .increment();
            } else {
                counter("delayjob.failed", "Runs that failed for good", "job", name)
                        .increment();
            }
        }
    }

    @Override
    public void fenced(Job job) {
        counter("delayjob.fenced", "Ends of attempts that were refused: the job had moved on", "job", known(job.name()))
                .increment();
    }

    @Override
    public void adopted(int count) {
        counter("delayjob.adopted", "Overdue jobs taken over from partitions led elsewhere")
                .increment(count);
    }

    @Override
    public void rescued(Collection<JobId> jobs) {
        counter("delayjob.rescued", "Jobs whose attempt was lost with its instance")
                .increment(jobs.size());
    }

    @Override
    public void leaseAcquired(Partition partition) {
        counter("delayjob.lease.changes", "Leases got and ended", "reason", "acquired")
                .increment();
    }

    @Override
    public void leaseEnded(Partition partition, String reason) {
        counter("delayjob.lease.changes", "Leases got and ended", "reason", reason)
                .increment();
    }

    @Override
    public void agentFailed(String role, Throwable failure) {
        counter("delayjob.store.errors", "Failures of background roles, nearly always the store's", "role", role)
                .increment();
    }

    @Override
    public void preloaded(String read, int rows, Duration took) {
        Timer.builder("delayjob.preload")
                .description("Reads of due jobs")
                .tag("read", read)
                .register(registry)
                .record(took);
        counter("delayjob.preload.rows", "Due jobs read", "read", read).increment(rows);
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private String known(String name) {
        return handlers.find(name) == null ? UNKNOWN : name;
    }
}
