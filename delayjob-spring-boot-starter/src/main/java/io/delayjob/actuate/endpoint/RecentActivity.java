package io.delayjob.actuate.endpoint;

import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.spring.OfDefaultStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps recent events of this instance in memory for viewers. If more than {@value #MAX_STARTS_A_SECOND} jobs start in
 * a second, the further starts are only counted. Thread-safe.
 */
final class RecentActivity implements JobListener, OfDefaultStore {

    static final int STARTS_KEPT = 1_000;

    static final int MAX_STARTS_A_SECOND = 100;

    static final int MAX_STARTS = 300;

    private static final int EVENTS_KEPT = 200;

    private static final int NEWEST_EVENTS = 50;

    private static final double NANOS_PER_MILLI = 1e6;

    record Start(
            Instant at, String id, String name, @Nullable String key, double lateMillis) {}

    /** @param name handler or queue of the event, if there is one */
    record Event(
            Instant at,
            String kind,
            String level,
            String says,
            @Nullable String name) {}

    record News(String next, List<Start> starts, long startsLeftOut, List<Event> events) {}

    private record Cursor(long starts, long events, long leftOut) {}

    private final EngineClock clock;
    private final Ring<Start> starts = new Ring<>(STARTS_KEPT);
    private final Ring<Event> events = new Ring<>(EVENTS_KEPT);
    private final LongAdder leftOut = new LongAdder();
    private final AtomicLong second = new AtomicLong();
    private final AtomicInteger startsOfSecond = new AtomicInteger();

    RecentActivity(EngineClock clock) {
        this.clock = clock;
    }

    @Override
    public void started(Job job, Duration lateness) {
        long millis = clock.storeMillis();
        long present = millis / 1_000;
        long before = second.get();
        if (before != present && second.compareAndSet(before, present)) {
            startsOfSecond.set(0);
        }
        if (startsOfSecond.incrementAndGet() > MAX_STARTS_A_SECOND) {
            leftOut.increment();
            return;
        }
        double late = Math.round(lateness.toNanos() / NANOS_PER_MILLI * 1_000) / 1_000.0;
        starts.add(new Start(Instant.ofEpochMilli(millis), job.id().toString(), job.name(), job.key(), late));
    }

    @Override
    public void fenced(Job job) {
        tell(
                "FENCED",
                "WARN",
                "The end of an attempt of job %s (%s) was refused, because the job had changed meanwhile."
                        .formatted(job.id(), job.name()));
    }

    @Override
    public void rescued(Collection<JobId> jobs) {
        tell("RESCUED", "WARN", "%d jobs of lost instances wait for another attempt.".formatted(jobs.size()));
    }

    @Override
    public void agentFailed(String role, Throwable failure) {
        tell("TROUBLE", "BAD", "Background task '%s' fails: %s".formatted(role, failure.getMessage()));
    }

    @Override
    public void agentRecovered(String role) {
        tell("RECOVERED", "GOOD", "Background task '%s' works again.".formatted(role));
    }

    @Override
    public void instanceJoined(long number, String incarnation) {
        tell("INSTANCE_JOINED", "GOOD", "%s joined.".formatted(named(number, incarnation)));
    }

    @Override
    public void instanceLeft(long number, String incarnation) {
        tell("INSTANCE_LEFT", "INFO", "%s left.".formatted(named(number, incarnation)));
    }

    @Override
    public void instanceGivenUp(long number, String incarnation, Duration silence) {
        tell(
                "INSTANCE_GIVEN_UP",
                "BAD",
                "%s was given up, because it had been silent for %s."
                        .formatted(named(number, incarnation), ReadableDuration.of(silence)));
    }

    @Override
    public void paused(Paused names) {
        names.handlers().forEach(name -> tellOf("HANDLER_PAUSED", "Handler %s was paused.", name));
        names.queues().forEach(name -> tellOf("QUEUE_PAUSED", "Queue %s was paused.", name));
    }

    @Override
    public void resumed(Paused names) {
        names.handlers().forEach(name -> tellOf("HANDLER_RESUMED", "Handler %s was resumed.", name));
        names.queues().forEach(name -> tellOf("QUEUE_RESUMED", "Queue %s was resumed.", name));
    }

    private void tellOf(String kind, String says, String name) {
        events.add(new Event(clock.storeTime(), kind, "INFO", says.formatted(name), name));
    }

    private static String named(long number, String incarnation) {
        int end = incarnation.indexOf('#');
        return "%s (%d)".formatted(end < 0 ? incarnation : incarnation.substring(0, end), number);
    }

    private void tell(String kind, String level, String says) {
        events.add(new Event(clock.storeTime(), kind, level, says, null));
    }

    /**
     * Returns the events after the cursor. If there is no cursor, or if it is from another start of the engine, returns
     * the newest events.
     */
    News since(@Nullable String after, String incarnation) {
        String owner = Integer.toHexString(incarnation.hashCode());
        Cursor cursor = after == null ? null : read(after, owner);
        Cursor now = new Cursor(starts.last(), events.last(), leftOut.sum());
        String next = "%s.%d.%d.%d".formatted(owner, now.starts, now.events, now.leftOut);
        List<Start> newest = starts.between(cursor == null ? 0 : cursor.starts, now.starts, MAX_STARTS);
        long missing = cursor == null ? 0 : now.starts - cursor.starts - newest.size() + now.leftOut - cursor.leftOut;
        return new News(
                next,
                newest,
                Math.max(0, missing),
                cursor == null
                        ? events.between(0, now.events, NEWEST_EVENTS)
                        : events.between(cursor.events, now.events, EVENTS_KEPT));
    }

    private static @Nullable Cursor read(String text, String owner) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4 || !parts[0].equals(owner)) {
            return null;
        }
        try {
            return new Cursor(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
        } catch (NumberFormatException unreadable) {
            return null;
        }
    }
}
