package io.delayjob.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Shares of several instances, whose leases move in any order while attempts begin and end. */
class ClusterShareTest {

    private static final int STEPS = 400;

    private final Map<Partition, Lease> leases = new HashMap<>();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Attempt> running = new ArrayList<>();
    private long terms;
    private int rows;

    private record Lease(Instance holder, long term) {}

    private record Attempt(Instance on, DueRow row) {}

    /** One instance, and a read of running rows that it has begun. */
    private final class Instance {

        final ClusterShare share;
        Map<Partition, Long> unread = Map.of();

        Instance(int limit, int partitions) {
            Handler handler = Handler.named("work")
                    .concurrency(limit)
                    .scope(ConcurrencyScope.CLUSTER)
                    .calls((arguments, job) -> null);
            share = new ClusterShare(handler, new Leases(partitions, queue -> 0, this::term, () -> {}));
        }

        private long term(Partition partition) {
            Lease lease = leases.get(partition);
            return lease != null && lease.holder == this ? lease.term : 0;
        }

        void start() {
            share.reserve();
            if (share.mayStart()) {
                share.start();
                running.add(new Attempt(this, row()));
            } else {
                share.leave();
            }
        }

        void beginRead() {
            unread = share.unread();
        }

        void read() {
            List<DueRow> elsewhere = elsewhere();
            unread.forEach((home, term) -> share.learn(home, term, elsewhere));
            unread = Map.of();
        }

        void look() {
            List<DueRow> ended = new ArrayList<>(share.awaited());
            ended.removeAll(elsewhere());
            share.ended(ended);
        }

        private List<DueRow> elsewhere() {
            return running.stream()
                    .filter(attempt -> attempt.on != this)
                    .map(Attempt::row)
                    .toList();
        }
    }

    private DueRow row() {
        rows++;
        return new DueRow(GivenJob.id(rows), new Partition("default", rows % 3), "work", rows, rows, null);
    }

    @Property(tries = 300)
    void instancesTogether_neverRunMoreThanTheLimit(
            @ForAll @IntRange(min = 1, max = 20) int limit,
            @ForAll @IntRange(min = 1, max = 8) int partitions,
            @ForAll long seed) {
        // All tries share one object.
        leases.clear();
        instances.clear();
        running.clear();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 3; i++) {
            instances.add(new Instance(limit, partitions));
        }
        for (int step = 0; step < STEPS; step++) {
            Instance instance = instances.get(random.nextInt(3));
            switch (random.nextInt(8)) {
                case 0 -> move(new Partition("default", random.nextInt(partitions)), random);
                case 1, 2, 3 -> instance.start();
                case 4 -> endAny(random);
                case 5 -> instance.beginRead();
                case 6 -> instance.read();
                default -> instance.look();
            }
            assertThat(running).hasSizeLessThanOrEqualTo(limit);
        }

        for (int i = 0; i < partitions; i++) {
            leases.computeIfAbsent(new Partition("default", i), partition -> new Lease(instances.get(0), ++terms));
        }
        while (!running.isEmpty()) {
            endAny(random);
        }
        instances.forEach(Instance::beginRead);
        instances.forEach(Instance::read);
        instances.forEach(Instance::look);
        for (int i = 0; i < 2 * limit; i++) {
            instances.forEach(Instance::start);
        }
        assertThat(running).as("all slots are used in the end").hasSize(limit);
    }

    private void move(Partition partition, SplittableRandom random) {
        int to = random.nextInt(4);
        if (to == 3) {
            leases.remove(partition);
        } else {
            leases.put(partition, new Lease(instances.get(to), ++terms));
        }
    }

    private void endAny(SplittableRandom random) {
        if (!running.isEmpty()) {
            Attempt ended = running.remove(random.nextInt(running.size()));
            ended.on.share.end();
        }
    }

    @Test
    void attemptElsewhere_blocksOneSlot_howeverManyPartitionsWereTakenMeanwhile() {
        Instance former = new Instance(16, 8);
        Instance next = new Instance(16, 8);
        for (int i = 0; i < 8; i++) {
            leases.put(new Partition("default", i), new Lease(former, ++terms));
        }
        former.beginRead();
        former.read();
        former.start();
        for (int i = 0; i < 8; i++) {
            leases.put(new Partition("default", i), new Lease(next, ++terms));
            next.beginRead();
            next.read();
        }

        assertThat(next.share.toStatus().free()).isEqualTo(15);
        endAny(new SplittableRandom(1));
        next.look();
        assertThat(next.share.toStatus().free()).isEqualTo(16);
    }
}
