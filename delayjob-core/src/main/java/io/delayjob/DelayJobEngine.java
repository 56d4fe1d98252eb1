package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.EngineParts;
import io.delayjob.internal.engine.EngineRun;
import io.delayjob.internal.engine.QueueAdmission;
import io.delayjob.internal.engine.QueueNames;
import io.delayjob.internal.engine.Traffic;
import io.delayjob.internal.limit.SlotDeal;
import io.delayjob.internal.maintain.MinuteLog;
import io.delayjob.job.DueRow;
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
import io.delayjob.status.WheelStatus;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs, and offers the {@linkplain #operations() operations} that schedule them. An application creates one
 * engine, starts it when all handlers are registered, and stops it before the store closes.
 *
 * <p>The clock, the threads and the random numbers are parameters, so a test can repeat a run exactly. A stopped engine
 * may be started again. Scheduling also works while the engine is stopped. Thread-safe.
 */
public final class DelayJobEngine {

    private final EngineParts parts;
    private final EngineSettings settings;
    private final JobStore store;
    private final EngineClock clock;
    private final QueueAdmission admission;
    private final KnownNames known;
    private final Traffic traffic = new Traffic();
    private final JobOperations operations;
    private final MinuteLog minutes;

    private final Object lifecycle = new Object();
    private volatile @Nullable EngineRun run;

    DelayJobEngine(EngineParts parts, TraceSource traces) {
        checkReadable(
                parts.settings().attempts().payloadMaxSize(), parts.store().maxPayloadBytes());
        this.parts = parts;
        this.settings = parts.settings();
        this.store = parts.store();
        this.clock = parts.clock();
        parts.listeners().add(traffic);
        Consumer<Paused> look = paused -> {
            EngineRun current = run;
            if (current != null) {
                current.look(paused);
            }
        };
        Runnable groupNamed = () -> {
            EngineRun current = run;
            if (current != null) {
                current.groupNamed();
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
        this.minutes = new MinuteLog(
                store, parts.listeners(), clock, settings.history().statistics());
        this.operations = new JobOperations(
                parts,
                traces,
                known,
                new EngineLinks(
                        new NearDue(),
                        look,
                        this::partitionFor,
                        groupNamed,
                        job -> whileRunning(current -> current.progress(job)),
                        job -> whileRunning(current -> current.log(job))));
    }

    /** Starts to build an engine on this store. */
    public static DelayJobEngineBuilder builder(EngineSettings settings, JobStore store) {
        return new DelayJobEngineBuilder(settings, store);
    }

    private static void checkReadable(int maxCharacters, long maxBytes) {
        long needed = (long) maxCharacters * OversizePayload.MAX_BYTES_PER_CHARACTER;
        if (maxBytes < needed) {
            throw new IllegalArgumentException(
                    "Invalid delayjob.payload.max-read-size, the longest payload that the job store reads (%d bytes): must be at least %d bytes. delayjob.payload.max-size allows %d characters of up to %d bytes each. Raise max-read-size, or lower max-size."
                            .formatted(maxBytes, needed, maxCharacters, OversizePayload.MAX_BYTES_PER_CHARACTER));
        }
    }

    /**
     * If a job has a mutex or a rate key, this key selects the partition. The leader of that partition decides about
     * the key. If a job has no such key and is due soon, its row goes to a partition that this instance leads.
     */
    private Partition partitionFor(Draft draft, JobId id, long dueMillis) {
        String queue = draft.queue();
        admission.admit(queue);
        int partitions = settings.queues().partitions();
        String key = decidingKeyOf(draft);
        if (key != null) {
            return Partition.ofKey(queue, key, partitions);
        }
        SlotDeal deal = dealOf(draft);
        int hash = Long.hashCode(id.value().getLeastSignificantBits());
        List<Partition> led = isSoon(dueMillis) ? ledWithSlots(queue, deal) : List.of();
        if (!led.isEmpty()) {
            return led.get(Math.floorMod(hash, led.size()));
        }
        return new Partition(queue, deal == null ? Math.floorMod(hash, partitions) : deal.partitionOf(hash));
    }

    private <T> Optional<T> whileRunning(Function<EngineRun, Optional<T>> question) {
        EngineRun current = run;
        return current == null ? Optional.empty() : question.apply(current);
    }

    private @Nullable String decidingKeyOf(Draft draft) {
        return KeyCheck.checked(
                draft, parts.handlers().find(draft.name()), settings.queues().partitions());
    }

    private @Nullable SlotDeal dealOf(Draft draft) {
        Handler handler = parts.handlers().find(draft.name());
        return handler == null || !handler.queue().equals(draft.queue())
                ? null
                : SlotDeal.of(handler, settings.queues().partitions());
    }

    private boolean isSoon(long dueMillis) {
        return dueMillis - clock.storeMillis() <= settings.preload().window().toMillis();
    }

    private List<Partition> ledWithSlots(String queue, @Nullable SlotDeal deal) {
        EngineRun current = run;
        List<Partition> led = current == null ? List.of() : current.led(queue);
        return deal == null
                ? led
                : led.stream()
                        .filter(partition -> deal.slotsOf(partition.index()) > 0)
                        .toList();
    }

    /** Returns the operations that applications call. */
    public DelayJobOperations operations() {
        return operations;
    }

    /**
     * Gives a handler of this application a schedule. The handler must have no payload. The one job of the schedule has
     * the key {@link Job#DECLARED_KEY}. This method writes the job if it does not exist, and replaces it if its
     * schedule or queue differs. A cancelled job stays cancelled. A job that is stored under a former name of the
     * handler gets the present name. On an instance that only schedules, this method does nothing.
     *
     * <p>Call this method when the application starts, in a transaction if the store needs one. Repeat the call, each
     * time in a new transaction, until the method returns {@code false}.
     *
     * @param handler the handler's present name
     * @return {@code true} if this call wrote the job, or withdrew a job that was stored under another name of the
     *     handler
     * @throws IllegalArgumentException if there is no such handler, or if the schedule has no further run
     */
    public boolean declare(String handler, Repeat repeat) {
        return settings.worker() && operations.declare(handler, repeat);
    }

    /**
     * Withdraws the job that {@link #declare} has written, so that the handler no longer starts on a schedule. A run
     * under way continues, but is not retried. For when and how to call this method, see {@link #declare}.
     *
     * @param handler the handler's present name
     * @return whether anything was withdrawn
     * @throws IllegalArgumentException if there is no such handler
     */
    public boolean undeclare(String handler) {
        return settings.worker() && operations.undeclare(handler);
    }

    /**
     * Returns the queues that the cluster knows, in alphabetical order. The cluster knows a queue that is configured
     * here, runs on a registered instance, has unfinished jobs or is paused. This method makes a request to the store.
     */
    public SortedSet<String> queues() {
        return known.queues();
    }

    /**
     * Returns the registered instances that run jobs and have not confirmed the present pauses. Most instances confirm
     * within a heartbeat. If an instance takes longer, it probably cannot reach the store. This method makes a request
     * to the store.
     *
     * @return the {@linkplain EngineSettings#incarnation() incarnations} of these instances, in alphabetical order
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
     * Starts the background work. This method returns at once, even if the store is unavailable. If the engine has
     * started already, this method does nothing.
     *
     * @throws TooManyQueuesException if the handlers and the settings declare more queues than one instance may have
     */
    public void start() {
        synchronized (lifecycle) {
            if (run == null) {
                EngineRun started = new EngineRun(parts, minutes, traffic);
                run = started;
                started.start(operations::warnOfAbandoned);
            }
        }
    }

    /**
     * Stops the engine, and blocks until it has stopped. The engine claims no more jobs, gives its leases back, and
     * waits up to {@link InstanceSettings#stopAwait()} for running handlers. After that time, the engine interrupts the
     * handlers. If an attempt still does not end, another instance rescues its job.
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

    /**
     * Returns the statistics of a past span by time bucket and handler, in no particular order. If the store has
     * {@link StoreCapability#STATISTICS}, the statistics cover all instances. Otherwise, they cover only this instance.
     * For the present minute, the statistics cover only this instance. This method makes a request to the store.
     *
     * @throws StoreException if the read exceeds the store's time limit. The exception is
     *     {@linkplain StoreException#isTransient() transient}
     */
    public List<MinuteSum> minutes(MinuteSpan span) {
        return minutes.sums(span);
    }

    /**
     * Returns how long this engine keeps the {@linkplain #minutes statistics for each minute}; zero if this engine
     * keeps no statistics.
     */
    public Duration minutesKept() {
        return minutes.retention();
    }

    /**
     * Returns the state of this instance's timing wheel, slot by slot, without a request to the store.
     *
     * @param patience maximum time to wait; some milliseconds are enough unless the machine is overloaded
     * @return the wheel; {@code null} if the engine does not run, if it only schedules jobs, or if it did not answer in
     *     time
     */
    public @Nullable WheelStatus wheel(Duration patience) {
        EngineRun current = run;
        return current == null || !settings.worker() ? null : current.wheel(patience);
    }

    /** Returns the state of the engine from memory, without a request to the store. */
    public EngineStatus status() {
        EngineRun current = run;
        return current == null ? EngineStatus.stopped(settings.incarnation()) : current.status();
    }

    private final class NearDue implements DueSink {

        @Override
        public DueSink asOfNow() {
            return present().asOfNow();
        }

        @Override
        public void accept(List<DueRow> rows) {
            present().accept(rows);
        }

        private DueSink present() {
            EngineRun current = run;
            return current == null ? DueSink.NONE : current.nearDue();
        }
    }
}
