package io.delayjob.store;

import io.delayjob.job.Paused;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The register of instances of a {@link MemoryJobStore}. Thread-safe. */
final class MemoryInstanceStore implements InstanceStore {

    private final LongSupplier clockMicros;
    private final Supplier<Paused> paused;
    private final Map<Long, InstanceRow> rows = new LinkedHashMap<>();
    private long lastNumber;

    MemoryInstanceStore(LongSupplier clockMicros, Supplier<Paused> paused) {
        this.clockMicros = clockMicros;
        this.paused = paused;
    }

    @Override
    public synchronized long register(String incarnation, Set<String> queues) {
        long number = ++lastNumber;
        rows.put(number, new InstanceRow(number, incarnation, Set.copyOf(queues), false, 0));
        return number;
    }

    @Override
    public synchronized OptionalLong beat(long number, boolean stopping) {
        InstanceRow row = rows.get(number);
        if (row == null) {
            return OptionalLong.empty();
        }
        rows.put(number, new InstanceRow(number, row.incarnation(), row.queues(), stopping, row.beats() + 1));
        return OptionalLong.of(clockMicros.getAsLong());
    }

    @Override
    public synchronized ClusterView look() {
        return new ClusterView(List.copyOf(rows.values()), paused.get());
    }

    @Override
    public synchronized boolean remove(long number, long beats) {
        InstanceRow row = rows.get(number);
        return row != null && row.beats() == beats && rows.remove(number, row);
    }

    @Override
    public synchronized void deregister(long number) {
        rows.remove(number);
    }

    synchronized boolean isRegistered(long number) {
        return rows.containsKey(number);
    }
}
