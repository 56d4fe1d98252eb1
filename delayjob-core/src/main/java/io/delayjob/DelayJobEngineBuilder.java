package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.internal.engine.EngineParts;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds an engine. Every part that has no default must be set. Not thread-safe.
 *
 * @see DelayJobEngine#builder
 */
public final class DelayJobEngineBuilder {

    private final EngineSettings settings;
    private final JobStore store;
    private @Nullable LeaseProvider leases;
    private @Nullable HandlerRegistry handlers;
    private @Nullable PayloadCodec codec;
    private @Nullable EngineClock clock;
    private @Nullable AgentRunner agents;
    private @Nullable Executor workers;
    private @Nullable RandomGenerator random;
    private JobListeners listeners = new JobListeners(List.of());
    private TraceSource traces = TraceSource.NONE;

    DelayJobEngineBuilder(EngineSettings settings, JobStore store) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.store = Objects.requireNonNull(store, "store");
    }

    /** Sets the provider of the leases, which decide which instance leads a partition. */
    public DelayJobEngineBuilder leases(LeaseProvider leases) {
        this.leases = leases;
        return this;
    }

    /** Sets the handlers that the jobs call. Handlers may be registered until the engine starts. */
    public DelayJobEngineBuilder handlers(HandlerRegistry handlers) {
        this.handlers = handlers;
        return this;
    }

    /** Sets the codec, which turns arguments into payloads. */
    public DelayJobEngineBuilder codec(PayloadCodec codec) {
        this.codec = codec;
        return this;
    }

    /** Sets the clock, which supplies monotonic time and store time. */
    public DelayJobEngineBuilder clock(EngineClock clock) {
        this.clock = clock;
        return this;
    }

    /** Sets the runner that calls the engine's background tasks. */
    public DelayJobEngineBuilder agents(AgentRunner agents) {
        this.agents = agents;
        return this;
    }

    /**
     * Sets the executor that calls the handlers. It may be unbounded, because the engine limits the running handlers.
     */
    public DelayJobEngineBuilder workers(Executor workers) {
        this.workers = workers;
        return this;
    }

    /** Sets the source of random numbers for ids, tokens and jitter. The source must be thread-safe. */
    public DelayJobEngineBuilder random(RandomGenerator random) {
        this.random = random;
        return this;
    }

    /** Sets the listeners of job events. The default is no listener. */
    public DelayJobEngineBuilder listeners(JobListeners listeners) {
        this.listeners = listeners;
        return this;
    }

    /** Sets the source of the trace that is stored with a new job. The default is {@link TraceSource#NONE}. */
    public DelayJobEngineBuilder traces(TraceSource traces) {
        this.traces = traces;
        return this;
    }

    /**
     * Returns the engine; it is not started yet.
     *
     * @throws NullPointerException if a part is missing; the message names the part
     * @throws IllegalArgumentException if the settings allow longer payloads than the store can read
     */
    public DelayJobEngine build() {
        EngineParts.Surroundings surroundings = new EngineParts.Surroundings(
                given(clock, "clock"), given(agents, "agents"), given(workers, "workers"), given(random, "random"));
        EngineParts parts = new EngineParts(
                settings,
                store,
                given(leases, "leases"),
                given(handlers, "handlers"),
                given(codec, "codec"),
                listeners,
                surroundings);
        return new DelayJobEngine(parts, traces);
    }

    private static <T> T given(@Nullable T part, String name) {
        return Objects.requireNonNull(part, () -> "Missing %s: call %s(…) before build().".formatted(name, name));
    }
}
