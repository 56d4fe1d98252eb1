package io.delayjob.test;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.job.OversizePayload;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link DelayJobTester}. Engines that share a store need the same {@link #time}, {@link #store},
 * {@link #leases} and {@link #codec}. Not thread-safe.
 */
public final class DelayJobTesterBuilder {

    private static final Instant DEFAULT_START = Instant.parse("2030-01-01T00:00:00Z");
    private static final int SEED = 42;

    private String name = "tester";
    private @Nullable VirtualTime time;
    private @Nullable VirtualProcess process;
    private @Nullable JobStore store;
    private @Nullable LeaseProvider leases;
    private PayloadCodec codec = new ReferencePayloads();
    private UnaryOperator<EngineSettings.Builder> settings = UnaryOperator.identity();
    private final List<JobListener> listeners = new ArrayList<>();

    DelayJobTesterBuilder() {}

    /** Sets the engine's name (incarnation), which must be unique in its store; the default is {@code tester}. */
    public DelayJobTesterBuilder name(String name) {
        this.name = name;
        return this;
    }

    /** Sets the start of virtual time; the default is 2030-01-01T00:00:00Z. */
    public DelayJobTesterBuilder startingAt(Instant start) {
        return time(new VirtualTime(start));
    }

    /** Sets the virtual time of the engine; the default is a new virtual time. */
    public DelayJobTesterBuilder time(VirtualTime time) {
        this.time = time;
        return this;
    }

    /**
     * Sets the virtual process of the engine; the default is a new process. This method also sets the {@link #time} of
     * the engine to the virtual time of the process.
     */
    public DelayJobTesterBuilder process(VirtualProcess process) {
        this.process = process;
        this.time = process.time();
        return this;
    }

    /** Sets the job store; the default is a {@link MemoryJobStore} with the virtual time. */
    public DelayJobTesterBuilder store(JobStore store) {
        this.store = store;
        return this;
    }

    /** Sets the provider of leases; the default is a new {@link MemoryLeaseProvider}. */
    public DelayJobTesterBuilder leases(LeaseProvider leases) {
        this.leases = leases;
        return this;
    }

    /** Sets the codec of payloads; the default is {@link ReferencePayloads}. */
    public DelayJobTesterBuilder codec(PayloadCodec codec) {
        this.codec = codec;
        return this;
    }

    /**
     * Changes the settings; the default settings are the settings {@linkplain DelayJobTester#unhurried for virtual
     * time}.
     */
    public DelayJobTesterBuilder settings(UnaryOperator<EngineSettings.Builder> change) {
        this.settings = change;
        return this;
    }

    /** Adds a listener of job events. */
    public DelayJobTesterBuilder listener(JobListener listener) {
        listeners.add(listener);
        return this;
    }

    private static MemoryJobStore memory(VirtualTime time, EngineSettings settings) {
        long longest = (long) settings.attempts().payloadMaxSize() * OversizePayload.MAX_BYTES_PER_CHARACTER;
        return new MemoryJobStore(time.clock()::storeMicros, Math.max(OversizePayload.DEFAULT_LIMIT, longest));
    }

    /** Builds the engine and starts it. */
    public DelayJobTester build() {
        VirtualTime itsTime = time != null ? time : new VirtualTime(DEFAULT_START);
        VirtualProcess itsProcess = process != null ? process : itsTime.process(name);
        EngineSettings itsSettings = settings.apply(DelayJobTester.unhurried(EngineSettings.defaults(name)).toBuilder())
                .build();
        JobStore itsStore = store != null ? store : memory(itsTime, itsSettings);
        LeaseProvider itsLeases = leases != null ? leases : new MemoryLeaseProvider(itsTime.clock());
        HandlerRegistry handlers = new HandlerRegistry();
        JobListeners itsListeners = new JobListeners(listeners);
        DelayJobEngine engine = DelayJobEngine.builder(itsSettings, itsStore)
                .leases(itsLeases)
                .handlers(handlers)
                .codec(codec)
                .clock(itsTime.clock())
                .agents(itsProcess)
                .workers(itsProcess.workers())
                // Engines that share a store must not create the same tokens, and a repeated test must run in the same
                // way.
                .random(new Random(SEED + 31L * name.hashCode()))
                .listeners(itsListeners)
                .build();
        DelayJobTester tester = new DelayJobTester(itsTime, engine, handlers, itsListeners);
        engine.start();
        return tester;
    }
}
