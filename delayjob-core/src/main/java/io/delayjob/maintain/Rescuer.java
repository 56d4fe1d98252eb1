package io.delayjob.maintain;

import io.delayjob.event.JobListeners;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Partition;
import io.delayjob.store.JobStore;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns attempts of instances that are not registered any more to the waiting rows. The leader of a partition looks
 * when an instance was found silent, and every liveness period besides; every other period all partitions are looked
 * through, whoever leads them. Whether a job was lost too often is judged by whoever claims it next, who knows its policy.
 */
public final class Rescuer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Rescuer.class);

    private final JobStore store;
    private final Supplier<List<Partition>> led;
    private final Supplier<List<Partition>> notLed;
    private final DueSink due;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final JobListeners listeners;
    private final long livenessNanos;
    private final int batchSize;

    private long nextForOthersNanos;

    public Rescuer(
            JobStore store,
            Supplier<List<Partition>> led,
            Supplier<List<Partition>> notLed,
            DueSink due,
            EngineClock clock,
            RandomGenerator random,
            JobListeners listeners,
            Duration liveness,
            int batchSize) {
        this.store = store;
        this.led = led;
        this.notLed = notLed;
        this.due = due;
        this.clock = clock;
        this.random = random;
        this.listeners = listeners;
        this.livenessNanos = liveness.toNanos();
        this.batchSize = batchSize;
        this.nextForOthersNanos = clock.nanoTime() + 2 * livenessNanos;
    }

    @Override
    public String roleName() {
        return "rescue";
    }

    @Override
    public long doWork() {
        boolean more = rescue(led.get());
        if (clock.nanoTime() - nextForOthersNanos >= 0) {
            boolean moreOfOthers = rescue(notLed.get());
            more |= moreOfOthers;
            if (!moreOfOthers) {
                nextForOthersNanos = clock.nanoTime() + 2 * livenessNanos;
            }
        }
        return more ? 0 : livenessNanos;
    }

    private boolean rescue(List<Partition> partitions) {
        if (partitions.isEmpty()) {
            return false;
        }
        List<DueRow> rescued = store.rescue(partitions, clock.storeTime(), random.nextLong(), batchSize);
        if (!rescued.isEmpty()) {
            log.warn("{} jobs whose instance was lost wait again.", rescued.size());
            listeners.tell(l -> l.rescued(rescued.stream().map(DueRow::id).toList()));
            due.accept(rescued);
        }
        return rescued.size() >= batchSize;
    }
}
