package io.delayjob.actuate.endpoint;

import io.delayjob.actuate.endpoint.InstancesDescriptor.InstanceDescriptor;
import io.delayjob.actuate.endpoint.InstancesDescriptor.State;
import io.delayjob.handler.Handler;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.status.BusyMutex;
import io.delayjob.status.ClusterSlots;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.LimitedKey;
import io.delayjob.status.SlotUse;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells why a job does not run, or how it runs, from a snapshot of the cluster. Immutable.
 *
 * @param now store time
 * @param defaultTimeout {@code null} for no timeout
 */
record WhyNotRunning(
        Instant now,
        Pauses pauses,
        Set<Set<String>> known,
        List<InstanceDescriptor> instances,
        EngineStatus status,
        @Nullable Duration defaultTimeout) {

    /** The checks, in the order in which the answer contains them. */
    enum Check {
        DUE,
        HANDLER,
        PAUSED,
        INSTANCE,
        /** The slots of the job's queue on this instance. Absent if other instances may run the job. */
        SLOTS,
        /**
         * The handler's slots in the cluster. Absent if the handler has no limit in the cluster, or if other instances
         * may run the job.
         */
        CONCURRENCY,
        /** Absent if this instance does not lead the partition, because it knows only its own partitions. */
        LEADER,
        /** Absent if no rate applies, or if this instance is not the leader. */
        RATE,
        /** Absent if the job has no mutex, or if this instance is not the leader. */
        MUTEX,
        CANCELLED,
        RUNNING,
        AWAITING
    }

    record Finding(Check check, boolean holds, String says) {}

    List<Finding> of(Job job) {
        List<Finding> findings = new ArrayList<>();
        if (job.state() == JobState.AWAITING) {
            findings.add(awaiting(job));
        } else if (job.state() != JobState.RUNNING) {
            findings.add(due(job));
            findings.add(handler(job));
            findings.add(paused(job));
            findings.add(instance(job));
            boolean led = status.led().contains(job.partition());
            SlotUse slots = status.workers().get(job.partition().queue());
            if (slots != null && (led || onlyThisOneWorks(job))) {
                findings.add(slots(slots, job.partition().queue()));
                addConcurrency(findings, job);
            }
            if (led) {
                findings.add(new Finding(
                        Check.LEADER, true, "This instance leads the job's partition %s.".formatted(job.partition())));
                addRate(findings, job);
                addMutex(findings, job);
            }
        }
        if (job.cancelRequested()) {
            findings.add(
                    new Finding(Check.CANCELLED, false, "A cancellation was requested: no further attempt starts."));
        }
        if (job.state() == JobState.RUNNING) {
            findings.add(running(job));
        }
        return findings;
    }

    private Finding awaiting(Job job) {
        return job.dueAt().isAfter(now)
                ? new Finding(
                        Check.AWAITING,
                        true,
                        "The job's handler has returned. The answer from outside must come within %s."
                                .formatted(between(now, job.dueAt())))
                : new Finding(
                        Check.AWAITING,
                        false,
                        ("The deadline for the answer from outside was %s ago. The attempt fails once an instance "
                                        + "can start jobs of this handler.")
                                .formatted(between(job.dueAt(), now)));
    }

    private Finding due(Job job) {
        return job.dueAt().isAfter(now)
                ? new Finding(Check.DUE, false, "The job is due in %s.".formatted(between(now, job.dueAt())))
                : new Finding(Check.DUE, true, "The job has been due for %s.".formatted(between(job.dueAt(), now)));
    }

    private Finding handler(Job job) {
        return known.stream().anyMatch(names -> names.contains(job.name()))
                ? new Finding(
                        Check.HANDLER, true, "A registered instance has the job's handler '%s'.".formatted(job.name()))
                : new Finding(
                        Check.HANDLER,
                        false,
                        "No registered instance has the job's handler '%s'. Start an instance that has this handler, or cancel the job."
                                .formatted(job.name()));
    }

    private Finding paused(Job job) {
        String queue = job.partition().queue();
        if (pauses.paused().holdsQueue(queue)) {
            return new Finding(Check.PAUSED, false, "Queue '%s' is paused until somebody resumes it.".formatted(queue));
        }
        return pauses.hold(job)
                ? new Finding(
                        Check.PAUSED, false, "Handler '%s' is paused until somebody resumes it.".formatted(job.name()))
                : new Finding(Check.PAUSED, true, "Neither the job's handler nor its queue is paused.");
    }

    private Finding instance(Job job) {
        String queue = job.partition().queue();
        long working = working(job).size();
        if (working == 0) {
            return new Finding(
                    Check.INSTANCE,
                    false,
                    "No live instance serves queue '%s'. Start an instance that serves this queue.".formatted(queue));
        }
        return new Finding(
                Check.INSTANCE,
                true,
                working == 1
                        ? "1 instance serves queue '%s'.".formatted(queue)
                        : "%d instances serve queue '%s'.".formatted(working, queue));
    }

    private List<InstanceDescriptor> working(Job job) {
        return instances.stream()
                .filter(instance -> instance.state() == State.ALIVE || instance.state() == State.UNSEEN)
                .filter(instance -> instance.queues().contains(job.partition().queue()))
                .toList();
    }

    private boolean onlyThisOneWorks(Job job) {
        List<InstanceDescriptor> working = working(job);
        return working.size() == 1 && working.get(0).self();
    }

    private static Finding slots(SlotUse slots, String queue) {
        int free = Math.max(0, slots.max() - slots.active());
        return free == 0
                ? new Finding(
                        Check.SLOTS,
                        false,
                        "All %d slots of queue '%s' are taken on this instance.".formatted(slots.max(), queue))
                : new Finding(
                        Check.SLOTS,
                        true,
                        "%d of %d slots of queue '%s' are free on this instance.".formatted(free, slots.max(), queue));
    }

    private void addConcurrency(List<Finding> findings, Job job) {
        Handler handler = pauses.handlers().find(job.name());
        if (handler == null) {
            return;
        }
        ClusterSlots slots = status.clusterSlots().get(handler.name());
        if (slots != null) {
            findings.add(new Finding(Check.CONCURRENCY, slots.free() > 0, says(slots, handler.name())));
        }
    }

    private static String says(ClusterSlots slots, String handler) {
        if (slots.owned() == 0) {
            return "This instance has none of the %d slots of handler '%s' in the cluster. An instance with a free slot takes the job over."
                    .formatted(slots.limit(), handler);
        }
        String has = "This instance has %d of the %d slots of handler '%s' in the cluster, and %d attempts run here."
                .formatted(slots.owned(), slots.limit(), handler, slots.running());
        return slots.blocked() == 0
                ? has
                : has
                        + " It cannot use %d of these slots yet, because attempts that ran on other instances must end first."
                                .formatted(slots.blocked());
    }

    private void addRate(List<Finding> findings, Job job) {
        Handler handler = pauses.handlers().find(job.name());
        if (handler == null) {
            return;
        }
        if (handler.rateBy() != null) {
            addRateOfKey(findings, job, handler);
            return;
        }
        int waiting = status.waitingForRate().getOrDefault(handler.name(), 0);
        String queue = job.partition().queue();
        if (waiting > 0) {
            String waitFor = handler.rate() == null
                    ? "the rate of queue '%s', or for the end of a rest".formatted(queue)
                    : "its rate, %s, or for the rate of queue '%s'".formatted(handler.rate(), queue);
            findings.add(new Finding(
                    Check.RATE,
                    false,
                    "%d due jobs of handler '%s' wait on this instance for %s."
                            .formatted(waiting, handler.name(), waitFor)));
        } else if (handler.rate() != null) {
            findings.add(new Finding(
                    Check.RATE,
                    true,
                    "No due job of handler '%s' waits on this instance for its rate, %s."
                            .formatted(handler.name(), handler.rate())));
        }
    }

    private void addRateOfKey(List<Finding> findings, Job job, Handler handler) {
        String key = ClaimKeys.deciding(job.task().keys(), handler.rateBy() != null);
        boolean hasKey = !ClaimKeys.NO_RATE_KEY.equals(key);
        String which = hasKey ? "with the key '%s'".formatted(key) : "without a key";
        List<LimitedKey> all = status.limitedKeys();
        all.stream()
                .filter(limited -> limited.key().equals(key)
                        && limited.handler().equals(handler.name())
                        && limited.queue().equals(job.partition().queue()))
                .findAny()
                .ifPresentOrElse(
                        limited -> findings.add(new Finding(
                                Check.RATE,
                                false,
                                "%d due jobs %s wait on this instance for %s rate, %s."
                                        .formatted(
                                                limited.waiting(), which, hasKey ? "its" : "their", handler.rate()))),
                        () -> {
                            if (all.size() < LimitedKey.MOST_LISTED) {
                                findings.add(new Finding(
                                        Check.RATE,
                                        true,
                                        "No due job %s waits on this instance for its rate, %s."
                                                .formatted(which, handler.rate())));
                            }
                        });
    }

    private void addMutex(List<Finding> findings, Job job) {
        String mutex = job.mutex();
        if (mutex == null) {
            return;
        }
        List<BusyMutex> all = status.busyMutexes();
        all.stream()
                .filter(busy -> busy.mutex().equals(mutex)
                        && busy.queue().equals(job.partition().queue()))
                .findAny()
                .ifPresentOrElse(busy -> findings.add(new Finding(Check.MUTEX, false, says(busy))), () -> {
                    if (all.size() < BusyMutex.MOST_LISTED) {
                        findings.add(
                                new Finding(Check.MUTEX, true, "No job waits for the mutex '%s'.".formatted(mutex)));
                    }
                });
    }

    private static String says(BusyMutex busy) {
        return busy.holder() == null
                ? "Jobs wait for the mutex '%s', because this instance has just begun to decide about it and is still reading which jobs run."
                        .formatted(busy.mutex())
                : "Job %s holds the mutex '%s'. %d due jobs wait for it on this instance."
                        .formatted(busy.holder(), busy.mutex(), busy.waiting());
    }

    private Finding running(Job job) {
        InstanceDescriptor owner = instances.stream()
                .filter(instance -> instance.number() == job.owner())
                .findAny()
                .orElse(null);
        if (owner == null) {
            return new Finding(
                    Check.RUNNING,
                    false,
                    "Instance %d claimed the job and is no longer registered. Another instance takes the job back."
                            .formatted(job.owner()));
        }
        if (owner.state() == State.LATE) {
            return new Finding(
                    Check.RUNNING,
                    false,
                    "Instance %d claimed the job, but its heartbeats are overdue. If none comes, another instance takes the job back."
                            .formatted(job.owner()));
        }
        Instant since = Objects.requireNonNullElse(job.startedAt(), job.dueAt());
        return new Finding(
                Check.RUNNING,
                true,
                "Instance %d has been running the job for %s%s."
                        .formatted(job.owner(), between(since, now), timeout(job)));
    }

    private String timeout(Job job) {
        Handler handler = pauses.handlers().find(job.name());
        if (handler == null) {
            return "";
        }
        Duration timeout = handler.timeout() != null ? handler.timeout() : defaultTimeout;
        return timeout == null ? ", without a timeout" : ", with a timeout of " + ReadableDuration.of(timeout);
    }

    /** Returns at least zero, because the two times may come from different clocks. */
    private static String between(Instant from, Instant to) {
        return ReadableDuration.of(to.isAfter(from) ? Duration.between(from, to) : Duration.ZERO);
    }
}
