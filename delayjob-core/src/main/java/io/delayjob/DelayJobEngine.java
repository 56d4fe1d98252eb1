package io.delayjob;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.EngineParts;
import io.delayjob.internal.engine.EngineRun;
import io.delayjob.internal.engine.QueueAdmission;
import io.delayjob.internal.engine.QueueNames;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.schedule.Repeat;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.InstanceSettings;
import io.delayjob.settings.TooManyQueuesException;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs, and offers the {@linkplain #operations() operations} that schedule them. An application's framework makes
 * one, starts it when all handlers are registered, and stops it before the store goes away.
 *
 * <p>Everything that could make two runs differ is handed in: the clock, the threads, randomness. An engine may be
 * started again after it was stopped. Scheduling works whether it runs or not. Thread-safe.
 */
public final class DelayJobEngine {

    private final EngineParts parts;
    private final EngineSettings settings;
    private final JobStore store;
    private final EngineClock clock;
    private final QueueAdmission admission;
    private final KnownNames known;
    private final JobOperations operations;

    private final Object lifecycle = new Object();
    private volatile @Nullable EngineRun run;

    DelayJobEngine(EngineParts parts, TraceSource traces) {
        checkReadable(
                parts.settings().attempts().payloadMaxSize(), parts.store().maxPayloadBytes());
        this.parts = parts;
        this.settings = parts.settings();
        this.store = parts.store();
        this.clock = parts.clock();
        DueSink nearDue = rows -> {
            EngineRun current = run;
            if (current != null) {
                current.nearDue().accept(rows);
            }
        };
        Consumer<Paused> look = paused -> {
            EngineRun current = run;
            if (current != null) {
                current.look(paused);
            }
        };
        Supplier<QueueAdmission.@Nullable QueuesSeen> queuesSeen = () -> {
            EngineRun current = run;
            return current == null ? null : current.queuesSeen();
        };
        HandlerRegistry handlers = parts.handlers();
        this.admission = new QueueAdmission(
                settings, store, store.instances(), new QueueNames(settings, handlers), clock, queuesSeen);
        this.known = new KnownNames(settings, store, handlers);
        this.operations = new JobOperations(parts, traces, known, new EngineLinks(nearDue, look, this::partitionFor));
    }

    /**
     * Begins an engine.
     *
     * @param settings what the engine is told
     * @param store where the jobs are
     */
    public static DelayJobEngineBuilder builder(EngineSettings settings, JobStore store) {
        return new DelayJobEngineBuilder(settings, store);
    }

    /** A payload that may be scheduled must also be readable. */
    private static void checkReadable(int maxCharacters, long maxBytes) {
        long needed = (long) maxCharacters * OversizePayload.MAX_BYTES_PER_CHARACTER;
        if (maxBytes < needed) {
            throw new IllegalArgumentException(
                    "Invalid delayjob.payload.max-read-size %d bytes, the longest payload that the job store reads: must be at least %d, because delayjob.payload.max-size allows %d characters of up to %d bytes each; raise the one or lower the other."
                            .formatted(maxBytes, needed, maxCharacters, OversizePayload.MAX_BYTES_PER_CHARACTER));
        }
    }

    /**
     * Near-due rows go where they are preloaded anyway, to a partition led here; all others are spread by hash. Should
     * the lease end before the row is due, whoever leads then reads the partition from now on, and finds it.
     */
    private Partition partitionFor(String queue, JobId id, long dueMillis) {
        admission.admit(queue);
        EngineRun current = run;
        int hash = Long.hashCode(id.value().getLeastSignificantBits());
        if (current != null
                && dueMillis - clock.storeMillis()
                        <= settings.preload().window().toMillis()) {
            Partition led = current.ledPartition(queue, hash);
            if (led != null) {
                return led;
            }
        }
        return new Partition(queue, Math.floorMod(hash, settings.queues().partitions()));
    }

    /** What applications call. */
    public DelayJobOperations operations() {
        return operations;
    }

    /**
     * Has a handler of this application, which takes no payload, start by itself. Its one job, with the key {@link
     * Job#DECLARED_KEY}, is written if there is none, replaced if it repeats otherwise or lies in another queue, and
     * left cancelled if somebody cancelled it. The job of a former name moves to the present one at the first call for
     * which no instance is registered that knows the former only, and no run of the job is under way or due. An
     * instance that only schedules leaves it all to those that run handlers.
     *
     * <p>To be called when the application starts, in a transaction if the store wants one, and again in a new one
     * until nothing was changed: instances that start at once may have decided differently.
     *
     * @param handler its present name
     * @return whether anything was written or withdrawn
     * @throws IllegalArgumentException when there is no such handler, or the schedule has no run any more
     */
    public boolean declare(String handler, Repeat repeat) {
        return settings.worker() && operations.declare(handler, repeat);
    }

    /**
     * Has a handler of this application no longer start by itself: the job that {@link #declare} has written, under its
     * present name or a former one, is withdrawn. A run under way goes on, without a retry. A later declaration of the
     * handler writes a new job. An instance that only schedules does nothing.
     *
     * <p>To be called as {@link #declare} is.
     *
     * @param handler its present name
     * @return whether anything was withdrawn
     * @throws IllegalArgumentException when there is no such handler
     */
    public boolean undeclare(String handler) {
        return settings.worker() && operations.undeclare(handler);
    }

    /**
     * The queues that anybody knows, in their order: configured here, worked by an instance that is registered, holding
     * unfinished jobs, or paused. Asks the store.
     */
    public SortedSet<String> queues() {
        return known.queues();
    }

    /**
     * The instances that may still follow former pauses: they are registered, work a queue, and have not yet confirmed
     * the present pauses. Most confirm them within a heartbeat of the change. An instance that stays in the list cannot
     * read the store. After four fifths of its liveness it starts nothing more. Asks the store.
     *
     * @return their {@linkplain EngineSettings#incarnation() incarnations}, in order
     */
    public SortedSet<String> notHeardOfPauses() {
        Paused present = store.paused();
        EngineRun current = run;
        boolean heardHere = current != null && current.status().paused().equals(present);
        return store.instances().list().stream()
                .filter(row -> !row.queues().isEmpty() && row.pausesHeld() != present.fingerprint())
                .map(InstanceRow::incarnation)
                .filter(incarnation -> !heardHere || !incarnation.equals(settings.incarnation()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Starts the background roles. Returns at once: a store that is away only delays them. Does nothing when started.
     *
     * @throws TooManyQueuesException when handlers and settings declare more queues than one instance may work
     */
    public void start() {
        synchronized (lifecycle) {
            if (run == null) {
                EngineRun started = new EngineRun(parts);
                run = started;
                started.start(operations::warnOfAbandoned);
            }
        }
    }

    /**
     * Stops in good order: claims nothing more, hands its leases back, lets handlers end within {@link
     * InstanceSettings#stopAwait()}, interrupts those that do not, writes what has ended, and leaves the register. Blocks
     * until then. Attempts that did not end keep their rows until other instances rescue them.
     */
    public void stop() {
        synchronized (lifecycle) {
            EngineRun current = run;
            if (current != null) {
                try {
                    current.stop();
                } finally {
                    run = null;
                }
            }
        }
    }

    /** How the engine stands, as far as its memory knows. */
    public EngineStatus status() {
        EngineRun current = run;
        return current == null ? EngineStatus.stopped(settings.incarnation()) : current.status();
    }
}
