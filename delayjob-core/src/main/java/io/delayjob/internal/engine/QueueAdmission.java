package io.delayjob.internal.engine;

import io.delayjob.handler.Handler;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.DueJobs;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a call for a new queue if the maximum number of queues is reached. Each queue costs leases, statements, and
 * one thread for each slot.
 *
 * <p>If possible, the check sends no request to the store. A caller may already hold a connection, and a request might
 * wait for a second connection for ever. Simultaneous calls on several instances may exceed the maximum a little.
 * Thread-safe.
 */
public final class QueueAdmission {

    /**
     * For this time, an accepted queue is treated as a queue with jobs. Within this time, the transaction that writes
     * the first job may not have committed yet.
     */
    private static final long UNSEEN_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long VIEW_AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final EngineSettings settings;
    private final DueJobs store;
    private final InstanceStore register;
    private final QueueNames names;
    private final EngineClock clock;
    private final Supplier<@Nullable QueuesSeen> seen;

    private final Map<String, Long> admitted = new ConcurrentHashMap<>();

    private volatile @Nullable QueuesSeen last;

    /** @param seen the queues from the engine's latest read; {@code null} if the engine has not read them lately */
    public QueueAdmission(
            EngineSettings settings,
            DueJobs store,
            InstanceStore register,
            QueueNames names,
            EngineClock clock,
            Supplier<@Nullable QueuesSeen> seen) {
        this.settings = settings;
        this.store = store;
        this.register = register;
        this.names = names;
        this.clock = clock;
        this.seen = seen;
    }

    /** @throws IllegalArgumentException if the queue is new and the maximum number of queues is reached */
    public void admit(String queue) {
        if (!admitted.containsKey(queue)) {
            long now = clock.nanoTime();
            Set<String> declared = names.declared();
            if (!queue.equals(Handler.DEFAULT_QUEUE) && !declared.contains(queue)) {
                // The lock is not held here, so that no thread must wait while another asks the store.
                checkRoom(queue, declared, view(now), now);
            } else {
                admitted.put(queue, now);
            }
        }
    }

    private synchronized void checkRoom(String queue, Set<String> declared, QueuesSeen view, long now) {
        admitted.entrySet()
                .removeIf(entry -> !view.inUse.contains(entry.getKey()) && now - entry.getValue() > UNSEEN_NANOS);
        Set<String> named = new HashSet<>(view.inUse);
        named.addAll(admitted.keySet());
        named.removeAll(declared);
        named.removeAll(view.registered);
        int worked = names.worked().size() + named.size();
        if (!named.contains(queue)
                && !view.registered.contains(queue)
                && worked >= settings.queues().max()) {
            throw new IllegalArgumentException(
                    "Invalid queue '%s': must be one of the %d queues (delayjob.max-queues) whose jobs an instance already runs. Send the job to one of those queues, and limit its handler by @DelayedJob(concurrency = …). Or raise delayjob.max-queues on every instance."
                            .formatted(queue, settings.queues().max()));
        }
        admitted.put(queue, now);
    }

    private QueuesSeen view(long now) {
        QueuesSeen ofEngine = seen.get();
        if (ofEngine != null) {
            return ofEngine;
        }
        QueuesSeen view = last;
        if (view == null || now - view.asOfNanos > VIEW_AGE_NANOS) {
            Set<String> registered = new HashSet<>();
            register.list().stream().map(InstanceRow::queues).forEach(registered::addAll);
            view = QueuesSeen.of(store.partitionsInUse().keySet(), registered, now);
            last = view;
        }
        return view;
    }

    /**
     * @param inUse queues that contained unfinished jobs
     * @param asOfNanos monotonic time of the read
     */
    public record QueuesSeen(Set<String> inUse, Set<String> registered, long asOfNanos) {

        static QueuesSeen of(Set<Partition> inUse, Set<String> registered, long asOfNanos) {
            return new QueuesSeen(
                    inUse.stream().map(Partition::queue).collect(Collectors.toSet()), registered, asOfNanos);
        }
    }
}
