package io.delayjob.actuate.metrics;

import io.delayjob.event.JobListener;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.spring.OfDefaultStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.context.SmartLifecycle;

/**
 * Counts events of jobs. Names without a handler get the tag {@code UNKNOWN}, because callers may use any number of
 * such names. Counters exist before the engine starts, so that a monitoring system sees the increase to one.
 */
final class JobMeters implements JobListener, OfDefaultStore, SmartLifecycle {

    /** The tag is not called "job", because Prometheus uses this name for its targets, and would rename the tag. */
    static final String HANDLER = "handler";

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

    private static final List<String> LEASE_CHANGES =
            List.of("acquired", "expired", "lost", "surplus", "unused", "stopping");

    private static final List<String> GROUP_OUTCOMES = List.of("FINISHED", "FAILED", "CANCELLED");

    private static final List<String> READS = List.of("window", "sweep", "adopt", "scout");

    private static final List<String> ROLES = List.of(
            "heartbeat",
            "lease",
            "preload",
            "sweep",
            "scout",
            "adopt",
            "wheel",
            "claim",
            "timeout",
            "complete",
            "rescue",
            "retention",
            "statistics",
            "unhandled",
            "limits",
            "groups");

    private final MeterRegistry registry;
    private final HandlerRegistry handlers;
    private final Tags common;
    private final Map<String, Timer> lateness = new ConcurrentHashMap<>();
    private volatile boolean running;

    JobMeters(MeterRegistry registry, HandlerRegistry handlers, Tags common) {
        this.registry = registry;
        this.handlers = handlers;
        this.common = common;
    }

    @Override
    public void start() {
        // Includes former names, which stored jobs may have.
        for (String name : handlers.names()) {
            ofScheduled(name);
            ofFollowers(name);
            ofRetries(name);
            ofFailed(name);
            ofSnoozed(name);
            ofExpired(name);
            ofFenced(name);
        }
        ofScheduled(UNKNOWN);
        ofFollowers(UNKNOWN);
        Stream.of(CancelResult.values()).forEach(this::ofCancelled);
        Stream.of(AnswerResult.values()).forEach(this::ofAnswers);
        GROUP_OUTCOMES.forEach(this::ofGroupsEnded);
        ofAdopted();
        ofRescued();
        LEASE_CHANGES.forEach(this::ofLeaseChanges);
        ROLES.forEach(this::ofStoreErrors);
        READS.forEach(this::ofPreloadRows);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts before the components that cause events. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void scheduled(String name, int count) {
        ofScheduled(known(name)).increment(count);
    }

    private Counter ofScheduled(String name) {
        return counter("delayjob.scheduled", "Jobs written, and existing jobs that a call found by key", HANDLER, name);
    }

    @Override
    public void followed(String name) {
        ofFollowers(known(name)).increment();
    }

    private Counter ofFollowers(String name) {
        return counter(
                "delayjob.followers", "Jobs of chains, written with the end of the job before them", HANDLER, name);
    }

    @Override
    public void groupEnded(GroupStatus group) {
        ofGroupsEnded(outcomeOf(group)).increment();
    }

    private static String outcomeOf(GroupStatus group) {
        if (group.state() == GroupState.CANCELLED) {
            return "CANCELLED";
        }
        return group.counts().failed() > 0 ? "FAILED" : "FINISHED";
    }

    private Counter ofGroupsEnded(String outcome) {
        return counter("delayjob.groups.ended", "Groups whose members have all ended", "outcome", outcome);
    }

    @Override
    public void cancelled(CancelResult result) {
        ofCancelled(result).increment();
    }

    private Counter ofCancelled(CancelResult result) {
        return counter("delayjob.cancelled", "Cancellations, by their result", "result", result.name());
    }

    @Override
    public void answered(AnswerResult result) {
        ofAnswers(result).increment();
    }

    private Counter ofAnswers(AnswerResult result) {
        return counter("delayjob.answers", "Answers from outside, by their result", "result", result.name());
    }

    @Override
    public void started(Job job, Duration late) {
        lateness.computeIfAbsent(known(job.name()), this::latenessTimer).record(late);
    }

    private Timer latenessTimer(String name) {
        return Timer.builder("delayjob.lateness")
                .description("Start of an attempt minus its due time")
                .tags(common)
                .tag(HANDLER, name)
                .serviceLevelObjectives(LATENESS_BUCKETS)
                .register(registry);
    }

    @Override
    public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        String name = known(job.name());
        if (outcome instanceof JobOutcome.Snoozed) {
            ofSnoozed(name).increment();
        }
        if (outcome instanceof JobOutcome.Expired) {
            ofExpired(name).increment();
        }
        if (outcome instanceof JobOutcome.Failed || outcome instanceof JobOutcome.TimedOut) {
            boolean retried = next.retries(job);
            (retried ? ofRetries(name) : ofFailed(name)).increment();
        }
    }

    private Counter ofSnoozed(String name) {
        return counter("delayjob.snoozed", "Runs that their handler delayed", HANDLER, name);
    }

    private Counter ofExpired(String name) {
        return counter(
                "delayjob.expired", "Runs that were left out because they could not start in time", HANDLER, name);
    }

    private Counter ofRetries(String name) {
        return counter("delayjob.retries", "Failed attempts that are retried", HANDLER, name);
    }

    private Counter ofFailed(String name) {
        return counter("delayjob.failed", "Runs that failed for good", HANDLER, name);
    }

    @Override
    public void fenced(Job job) {
        ofFenced(known(job.name())).increment();
    }

    private Counter ofFenced(String name) {
        return counter(
                "delayjob.fenced",
                "Ends of attempts that were refused, because the job had changed meanwhile",
                HANDLER,
                name);
    }

    @Override
    public void adopted(int count) {
        ofAdopted().increment(count);
    }

    private Counter ofAdopted() {
        return counter("delayjob.adopted", "Overdue jobs taken over from partitions that other instances lead");
    }

    @Override
    public void rescued(Collection<JobId> jobs) {
        ofRescued().increment(jobs.size());
    }

    private Counter ofRescued() {
        return counter("delayjob.rescued", "Jobs whose attempt was lost with its instance");
    }

    @Override
    public void leaseAcquired(Partition partition) {
        ofLeaseChanges("acquired").increment();
    }

    @Override
    public void leaseEnded(Partition partition, String reason) {
        ofLeaseChanges(reason).increment();
    }

    private Counter ofLeaseChanges(String reason) {
        return counter("delayjob.lease.changes", "Leases that were taken, and leases that ended", "reason", reason);
    }

    @Override
    public void agentFailed(String role, Throwable failure) {
        ofStoreErrors(role).increment();
    }

    private Counter ofStoreErrors(String role) {
        return counter(
                "delayjob.store.errors", "Failures of background tasks; nearly all come from the store", "role", role);
    }

    @Override
    public void preloaded(String read, int rows, Duration took) {
        Timer.builder("delayjob.preload")
                .description("Reads of due jobs")
                .tags(common)
                .tag("read", read)
                .register(registry)
                .record(took);
        ofPreloadRows(read).increment(rows);
    }

    private Counter ofPreloadRows(String read) {
        return counter("delayjob.preload.rows", "Due jobs read", "read", read);
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name)
                .description(description)
                .tags(common)
                .tags(tags)
                .register(registry);
    }

    private String known(String name) {
        return handlers.find(name) == null ? UNKNOWN : name;
    }
}
