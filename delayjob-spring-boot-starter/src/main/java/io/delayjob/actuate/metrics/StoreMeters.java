package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.job.JobState;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Meters with values from the store. */
final class StoreMeters implements MeterBinder {

    private final StoredJobs jobs;
    private final OldestDue oldestDue;
    private final EngineClock clock;
    private final Tags common;

    private StoreMeters(StoredJobs jobs, OldestDue oldestDue, EngineClock clock, Tags common) {
        this.jobs = jobs;
        this.oldestDue = oldestDue;
        this.clock = clock;
        this.common = common;
    }

    static StoreMeters of(JobStore store, EngineClock clock, Supplier<DelayJobEngine> engine, Tags common) {
        BooleanSupplier inTrouble = () -> !engine.get().status().troubles().isEmpty();
        return new StoreMeters(
                new StoredJobs(store, clock, inTrouble), new OldestDue(store, clock, inTrouble), clock, common);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (JobState state : JobState.values()) {
            Gauge.builder("delayjob.jobs", jobs, stored -> stored.in(state))
                    .description("Jobs of the whole store, by state")
                    .tags(common)
                    .tag("state", state.name())
                    .register(registry);
        }
        TimeGauge.builder("delayjob.oldest.due.age", oldestDue, TimeUnit.MILLISECONDS, OldestDue::ageMillis)
                .tags(common)
                .description("For how long the oldest due job of the whole store has been waiting")
                .register(registry);
        Clock machine = registry.config().clock();
        TimeGauge.builder(
                        "delayjob.clock.skew",
                        clock,
                        TimeUnit.MILLISECONDS,
                        store -> store.storeMillis() - machine.wallTime())
                .tags(common)
                .description("The store's clock minus this machine's clock")
                .register(registry);
    }
}
