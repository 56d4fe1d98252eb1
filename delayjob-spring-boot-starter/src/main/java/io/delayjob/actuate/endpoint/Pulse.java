package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobEngine;
import io.delayjob.job.PausedName;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers the requests of many viewers each second, from memory and from shared reads of the store. Thread-safe. */
final class Pulse {

    private static final Duration COUNTS_LAST = Duration.ofSeconds(10);

    private static final Duration REGISTER_LASTS = Duration.ofSeconds(1);

    private static final Duration WHEEL_LASTS = Duration.ofMillis(500);

    private record Counted(JobCounts counts, Instant at) {}

    private record Register(
            List<InstancesDescriptor.InstanceDescriptor> instances, List<PausedName> pauses, Instant at) {}

    private final DelayJobEngine engine;
    private final JobStore store;
    private final EngineClock clock;
    private final RecentActivity activity;
    private final Shared<Counted> counts;
    private final Shared<Register> register;
    private final Shared<WheelDescriptor> wheel;
    private @Nullable Shared<List<PulseDescriptor.CallDescriptor>> calls;
    private @Nullable Collection<String> stores;

    Pulse(
            DelayJobsEndpoint endpoint,
            DelayJobEngine engine,
            JobStore store,
            EngineClock clock,
            RecentActivity activity) {
        this.engine = engine;
        this.store = store;
        this.clock = clock;
        this.activity = activity;
        this.counts = new Shared<>(this::count, clock, COUNTS_LAST);
        this.register = new Shared<>(
                () -> new Register(endpoint.instances().instances(), store.pauses(), clock.storeTime()),
                clock,
                REGISTER_LASTS);
        this.wheel = new Shared<>(endpoint::wheel, clock, WHEEL_LASTS);
    }

    Pulse withStores(Collection<String> names) {
        stores = names;
        return this;
    }

    /** @param name {@code null} if the application has only one store */
    Pulse withTimes(StoreTimes times, @Nullable String name) {
        calls = new Shared<>(() -> times.read(name), clock, COUNTS_LAST);
        return this;
    }

    private Counted count() {
        Instant now = clock.storeTime();
        return new Counted(store.counts(now), now);
    }

    PulseDescriptor answer(RequestParameters request) {
        request.only("after", "wheel");
        EngineStatus status = engine.status();
        Counted counted = counts.get();
        Register registered = register.get();
        RecentActivity.News news = activity.since(request.text("after"), status.incarnation());
        return new PulseDescriptor(
                clock.storeTime(),
                news.next(),
                new TreeMap<>(counted.counts.byState()),
                SummaryDescriptor.named(counted.counts.atLeast()),
                SummaryDescriptor.named(counted.counts.about()),
                counted.at,
                counted.counts.oldestDue(),
                PausedDescriptor.of(status.paused(), registered.pauses),
                SummaryDescriptor.EngineDescriptor.of(status),
                new PulseDescriptor.StoreDescriptor(
                        store.toString(), clock.skew(), calls == null ? null : calls.get(), counted.counts.bytes()),
                registered.at,
                registered.instances,
                news.starts(),
                news.startsLeftOut(),
                news.events(),
                Boolean.parseBoolean(request.text("wheel")) ? wheel.get() : null,
                stores);
    }
}
