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
 * one thread for each of its slots. So an application must not create a queue for each tenant or each order.
 *
 * <p>For a queue that was accepted before, the check only reads a map. For a new queue, the check uses the engine's
 * last read of queues. This read includes the queues with jobs, and the queues that instances have registered. The
 * check avoids a request to the store, because a caller may already hold a connection, and could wait for a second one
 * for ever. The check asks the store only if no engine of this process has read the present queues lately. If calls on
 * several instances name new queues at the same time, a few queues too many may be accepted. The jobs of such queues
 * wait, and {@link QueueChoice} logs a warning. Thread-safe.
 */
public final class QueueAdmission {

    /**
     * After a queue was accepted, it is treated as a queue with jobs for this time, even if the store contains none of
     * its jobs. The transaction that writes its first job may not have committed yet.
     */
    private static final long UNSEEN_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long VIEW_AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final EngineSettings settings;
    private final DueJobs store;
    private final InstanceStore register;
    private final QueueNames names;
    private final EngineClock clock;
    private final Supplier<@Nullable QueuesSeen> seen;

    /** Accepted queues, each with the monotonic time of the first call for the queue. */
    private final Map<String, Long> admitted = new ConcurrentHashMap<>();

    private volatile @Nullable QueuesSeen last;

    /**
     * @param seen returns the queues from the latest read by the engine; {@code null} if the engine has not read the
     *     queues lately
     */
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
     * Contains the queues that had jobs in the store, and the queues that instances had registered, at one moment.
     *
     * @param inUse queues that contained unfinished jobs
     * @param registered queues that live instances had registered
     * @param asOfNanos monotonic time of that moment
     */
    public record QueuesSeen(Set<String> inUse, Set<String> registered, long asOfNanos) {

        static QueuesSeen of(Set<Partition> inUse, Set<String> registered, long asOfNanos) {
            return new QueuesSeen(
                    inUse.stream().map(Partition::queue).collect(Collectors.toSet()), registered, asOfNanos);
        }
    }
}
