package io.delayjob.internal.key;

import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.KeyedRate;
import io.delayjob.status.LimitedKey;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * Contains the keys of one lane. If a key has no free token, its tickets wait outside of the lane. So these tickets do
 * not delay the tickets of other keys.
 *
 * <pre>
 *   ticket --- a token is free ------------------------> lane --claim--> reserved --start--> taken
 *          '-- none, or others wait --> waits at its key --^      '-- none any more: waits again, as the first
 * </pre>
 *
 * <p>A key without waiting tickets is remembered until its bucket is full. If there are too many such keys, those with
 * the fullest buckets are {@linkplain KeyedRate#forget forgotten}. The lock of {@link Tickets} guards this object.
 */
final class KeyRates {

    private static final int FIRST_LOOK = 1_000;

    /** A sweep through a million rows takes this long. So enough rows of each key must be kept for this time. */
    private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

    private static final int LEAST_KEPT = 10;
    private static final int MOST_KEPT = 10_000;

    /** Minimum time between two checks, because a check for each token would cost too much. */
    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    private final Lane lane;
    private final KeyedRate rate;
    private final Tickets tickets;
    private final EngineClock clock;
    private final Map<String, KeyRate> keys = new HashMap<>();

    /** All keys with waiting tickets, and perhaps other keys, ordered by the time of their next token. */
    private final PriorityQueue<KeyRate> next =
            new PriorityQueue<>((one, other) -> Long.signum(one.readyNanos - other.readyNanos));

    private int lookAt = FIRST_LOOK;

    KeyRates(Lane lane, KeyedRate rate, Tickets tickets, EngineClock clock) {
        this.lane = lane;
        this.rate = rate;
        this.tickets = tickets;
        this.clock = clock;
    }

    int worthKeeping() {
        return Math.min(Math.max(LEAST_KEPT, rate.within(KEPT_NANOS)), MOST_KEPT);
    }

    KeyRate of(String key) {
        KeyRate known = keys.get(key);
        if (known != null && known.bucket.isLed()) {
            return known;
        }
        forgetTooMany();
        KeyRate fresh = new KeyRate(tickets, key, rate.newBucket(key), this);
        keys.put(key, fresh);
        if (known != null) {
            known.dropAll();
        }
        return fresh;
    }

    private void forgetTooMany() {
        if (keys.size() < lookAt) {
            return;
        }
        keys.values().removeIf(key -> key.isIdle() && (key.bucket.isFull() || !key.bucket.isLed()));
        List<KeyRate> idle = new ArrayList<>();
        keys.values().stream().filter(KeyRate::isIdle).forEach(idle::add);
        if (idle.size() >= Gates.MOST_IDLE_KEYS) {
            idle.sort(Comparator.comparingLong(key -> key.bucket.emptyAtNanos() - clock.nanoTime()));
            for (KeyRate fullest : idle.subList(0, Gates.MOST_IDLE_KEYS / 2)) {
                rate.forget(fullest.bucket);
                keys.remove(fullest.key());
            }
        }
        lookAt = Math.max(FIRST_LOOK, Math.min(2 * keys.size(), keys.size() + Gates.MOST_IDLE_KEYS / 2));
    }

    void schedule(KeyRate key) {
        if (!key.isScheduled) {
            key.isScheduled = true;
            key.readyNanos = clock.nanoTime() + key.untilNanos();
            next.add(key);
        }
    }

    void follow() {
        long now = clock.nanoTime();
        KeyRate key;
        while ((key = next.peek()) != null && key.readyNanos - now <= 0) {
            next.remove();
            key.isScheduled = false;
            if (!key.bucket.isLed()) {
                key.dropAll();
                keys.remove(key.key(), key);
                continue;
            }
            key.letIn();
            if (key.isAwaited()) {
                schedule(key);
            }
        }
    }

    long untilNanos() {
        KeyRate first = next.peek();
        return first == null ? Long.MAX_VALUE : Math.max(SHORTEST_WAIT_NANOS, first.readyNanos - clock.nanoTime());
    }

    int known() {
        return keys.size();
    }

    int waiting() {
        return next.stream().mapToInt(Gate::waiting).sum();
    }

    /** The lane removes its own tickets at the same time, so no ticket has a promised token any more. */
    void dropAll() {
        next.forEach(Gate::dropAll);
        keys.values().forEach(KeyRate::laneIsEmpty);
    }

    Stream<LimitedKey> toStatus() {
        return next.stream()
                .filter(Gate::isAwaited)
                .map(key -> new LimitedKey(lane.queue(), lane.handler().name(), key.key(), key.waiting()));
    }
}
