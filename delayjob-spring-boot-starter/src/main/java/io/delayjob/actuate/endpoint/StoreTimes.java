package io.delayjob.actuate.endpoint;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells how long calls to the store take. The times come from the meter {@code delayjob.store}. Thread-safe. */
final class StoreTimes {

    private static final List<String> OPERATIONS = List.of("claim", "complete", "submit");

    private final MeterRegistry registry;
    private final Map<Key, Sum> last = new HashMap<>();

    private record Key(@Nullable String store, String operation) {}

    private record Sum(long calls, double nanos) {

        Sum since(Sum before) {
            return calls > before.calls ? new Sum(calls - before.calls, nanos - before.nanos) : this;
        }

        Duration mean() {
            return Duration.ofNanos(Math.round(nanos / calls));
        }
    }

    StoreTimes(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * The mean covers the successful calls since the previous read of this store. The first read covers all successful
     * calls.
     */
    synchronized List<PulseDescriptor.CallDescriptor> read(@Nullable String store) {
        Tags tags = store == null ? Tags.empty() : Tags.of("store", store);
        return OPERATIONS.stream()
                .flatMap(operation -> read(
                        new Key(store, operation),
                        registry.find("delayjob.store")
                                .tags(tags.and("operation", operation, "exception", "none"))
                                .timers()))
                .toList();
    }

    private Stream<PulseDescriptor.CallDescriptor> read(Key key, Collection<Timer> timers) {
        Sum sum = new Sum(
                timers.stream().mapToLong(Timer::count).sum(),
                timers.stream()
                        .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                        .sum());
        if (sum.calls == 0) {
            return Stream.empty();
        }
        Sum before = last.put(key, sum);
        double max = timers.stream()
                .mapToDouble(timer -> timer.max(TimeUnit.NANOSECONDS))
                .max()
                .orElse(0);
        return Stream.of(new PulseDescriptor.CallDescriptor(
                key.operation, (before == null ? sum : sum.since(before)).mean(), Duration.ofNanos(Math.round(max))));
    }
}
