package io.delayjob.memory;

import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.Vitals;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Contains the register of instances of a {@link MemoryJobStore}. Thread-safe. */
final class MemoryInstanceStore implements InstanceStore {

    private final Object lock;
    private final LongSupplier clockMicros;
    private final Supplier<Paused> paused;
    private final Map<Long, InstanceRow> rows = new LinkedHashMap<>();
    private final Map<Long, Set<Set<String>>> handlers = new HashMap<>();
    private final Map<JobId, Long> cancelRequested = new LinkedHashMap<>();
    private long lastNumber;

    /** @param lock the lock of the job store, because the two stores call each other under it */
    MemoryInstanceStore(Object lock, LongSupplier clockMicros, Supplier<Paused> paused) {
        this.lock = lock;
        this.clockMicros = clockMicros;
        this.paused = paused;
    }

    @Override
    public long register(String incarnation, Set<String> queues, Set<Set<String>> running) {
        synchronized (lock) {
            long number = ++lastNumber;
            rows.put(number, new InstanceRow(number, incarnation, Set.copyOf(queues), false, 0, 0, null));
            handlers.put(number, Set.copyOf(running));
            return number;
        }
    }

    @Override
    public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
        synchronized (lock) {
            InstanceRow row = rows.get(number);
            if (row == null) {
                return OptionalLong.empty();
            }
            rows.put(
                    number,
                    new InstanceRow(
                            number,
                            row.incarnation(),
                            row.queues(),
                            stopping,
                            row.beats() + 1,
                            row.pausesHeld(),
                            vitals));
            return OptionalLong.of(clockMicros.getAsLong());
        }
    }

    @Override
    public ClusterView look(long number) {
        synchronized (lock) {
            Set<JobId> asked = cancelRequested.entrySet().stream()
                    .filter(request -> request.getValue() == number)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            List<InstanceRow> instances =
                    rows.values().stream().map(InstanceRow::withoutVitals).toList();
            return new ClusterView(instances, paused.get(), asked);
        }
    }

    @Override
    public List<InstanceRow> list() {
        synchronized (lock) {
            return List.copyOf(rows.values());
        }
    }

    @Override
    public Map<Long, Set<Set<String>>> handlersByInstance() {
        synchronized (lock) {
            return Map.copyOf(handlers);
        }
    }

    @Override
    public void forgetCancellations(long number, Collection<JobId> jobs) {
        synchronized (lock) {
            jobs.forEach(job -> cancelRequested.remove(job, number));
        }
    }

    void noteCancellation(long number, JobId job) {
        synchronized (lock) {
            if (rows.containsKey(number)) {
                cancelRequested.put(job, number);
            }
        }
    }

    @Override
    public void acknowledgePauses(long number, long fingerprint) {
        synchronized (lock) {
            rows.computeIfPresent(
                    number,
                    (same, row) -> new InstanceRow(
                            number,
                            row.incarnation(),
                            row.queues(),
                            row.stopping(),
                            row.beats(),
                            fingerprint,
                            row.vitals()));
        }
    }

    @Override
    public boolean remove(long number, long beats) {
        synchronized (lock) {
            InstanceRow row = rows.get(number);
            boolean removed = row != null && row.beats() == beats && rows.remove(number, row);
            if (removed) {
                forget(number);
            }
            return removed;
        }
    }

    @Override
    public void deregister(long number) {
        synchronized (lock) {
            rows.remove(number);
            forget(number);
        }
    }

    private void forget(long number) {
        handlers.remove(number);
        cancelRequested.values().removeIf(owner -> owner == number);
    }
}
