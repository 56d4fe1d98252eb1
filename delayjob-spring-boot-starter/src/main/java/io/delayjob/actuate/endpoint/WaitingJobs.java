package io.delayjob.actuate.endpoint;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.JobStore;
import io.delayjob.store.Precision;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the jobs in the store that wait for handlers, at most once in ten seconds. Thread-safe. */
final class WaitingJobs {

    private static final Duration LASTS = Duration.ofSeconds(10);

    private static final DueSpan ALWAYS = new DueSpan(Instant.EPOCH, Duration.ofDays(3_000_000), 1);

    /** Maximum number of handlers whose schedules are looked up. Each schedule needs its own look-up by key. */
    private static final int MAX_SCHEDULES = 100;

    record Count(long count, Precision precision) {}

    record Waiting(Instant at, Map<String, Count> counts, Map<String, String> schedules) {}

    private final JobStore store;
    private final HandlerRegistry handlers;
    private final EngineClock clock;
    private final Shared<Waiting> waiting;

    WaitingJobs(JobStore store, HandlerRegistry handlers, EngineClock clock) {
        this.store = store;
        this.handlers = handlers;
        this.clock = clock;
        this.waiting = new Shared<>(this::read, clock, LASTS);
    }

    Waiting get() {
        return waiting.get();
    }

    private Waiting read() {
        Instant now = clock.storeTime();
        DueCounts due = store.due(ALWAYS);
        Precision precision = due.hasCountedNames() ? Precision.EXACT : Precision.ABOUT;
        Map<String, Count> counts = due.byName().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> new Count(each.getValue().get(0), precision),
                        (one, other) -> one,
                        TreeMap::new));
        Map<String, String> schedules = new TreeMap<>();
        handlers.names().stream()
                .sorted()
                .limit(MAX_SCHEDULES)
                .forEach(name -> store.find(name, Job.DECLARED_KEY)
                        .filter(job -> job.schedule() != null && !job.state().isEnded())
                        .ifPresent(job -> schedules.put(name, String.valueOf(job.schedule()))));
        return new Waiting(now, counts, schedules);
    }
}
