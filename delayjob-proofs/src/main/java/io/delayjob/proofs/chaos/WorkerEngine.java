package io.delayjob.proofs.chaos;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.jdbc.TestNumberCodec;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.test.ForwardingStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The real engine in a worker process, except for the rule that a {@link Mutant} breaks. */
final class WorkerEngine implements AutoCloseable {

    private final EngineThreads threads = new EngineThreads();
    private final DelayJobEngine engine;

    WorkerEngine(WorkerStore worker, WorkerOrders orders, Ledger ledger) {
        EngineSettings settings = orders.profile().of(orders.name() + "#" + UUID.randomUUID());
        Mutant mutant = orders.mutant();
        JobStore store = worker.jobs();
        EngineClock clock = new StoreClock(store::clockMicros);
        HandlerRegistry registry = new HandlerRegistry();
        new Handlers(ledger, worker.transactions(), orders).all().forEach(registry::register);
        InstanceStore register = new HeartbeatWatch(store.instances(), ledger);
        engine = DelayJobEngine.builder(settings, mutant.spoil(new ForwardingStore(store) {
                    @Override
                    public InstanceStore instances() {
                        return register;
                    }
                }))
                .leases(worker.leases(settings.incarnation(), mutant, clock))
                .handlers(registry)
                .codec(new TestNumberCodec())
                .clock(clock)
                .agents(threads)
                .workers(threads.workers())
                .random(new EngineRandom())
                .listeners(new JobListeners(List.of(new Reporter(ledger))))
                .build();
    }

    void start() {
        engine.start();
    }

    DelayJobOperations jobs() {
        return engine.operations();
    }

    Set<Partition> led() {
        return Set.copyOf(engine.status().led());
    }

    /** Does not close the store. */
    @Override
    public void close() {
        engine.stop();
        threads.close();
    }
}
