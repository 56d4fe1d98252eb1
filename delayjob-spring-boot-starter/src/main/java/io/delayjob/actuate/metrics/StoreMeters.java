package io.delayjob.actuate.metrics;

import io.delayjob.time.EngineClock;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/**
 * Shows values that only the store knows: the age of its oldest due job, and the offset of its clock from this
 * machine's.
 */
final class StoreMeters implements MeterBinder {

    private final OldestDue oldestDue;
    private final EngineClock clock;

    StoreMeters(OldestDue oldestDue, EngineClock clock) {
        this.oldestDue = oldestDue;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        TimeGauge.builder("delayjob.oldest.due.age", oldestDue, TimeUnit.MILLISECONDS, OldestDue::ageMillis)
                .description("For how long the oldest due job of the whole store has been waiting")
                .register(registry);
        Clock machine = registry.config().clock();
        TimeGauge.builder(
                        "delayjob.clock.skew",
                        clock,
                        TimeUnit.MILLISECONDS,
                        store -> store.storeMillis() - machine.wallTime())
                .description("The store's clock minus that of this machine")
                .register(registry);
    }
}
