package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.TraceSource;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.spring.OfDefaultStore;
import io.delayjob.spring.SharedSurroundings;
import io.delayjob.store.JobStore;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** Builds the stores of {@code delayjob.stores}, each with its own engine. */
final class NamedStores {

    private final ListableBeanFactory beans;
    private final StoreDatabases databases;

    NamedStores(ListableBeanFactory beans, StoreDatabases databases) {
        this.beans = beans;
        this.databases = databases;
    }

    List<DelayJobStore> build(List<NamedStore> all) {
        List<Planned> planned =
                all.stream().map(named -> naming(named, () -> planned(named))).toList();
        List<StorePlace> places = SideBySide.all(planned.stream()
                .map(store -> (Supplier<StorePlace>) () -> naming(store.named, store.place))
                .toList());
        return IntStream.range(0, planned.size())
                .mapToObj(store -> naming(planned.get(store).named, () -> built(planned.get(store), places.get(store))))
                .toList();
    }

    private static <T> T naming(NamedStore named, Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidSettingException refused) {
            throw refused.of(named);
        } catch (JobDatabaseException unusable) {
            throw unusable.of(named);
        } catch (UnusableJobTablesException unusable) {
            throw unusable.of(named);
        }
    }

    /** @param place opens the store; any thread may call this supplier, so it must not look up beans */
    private record Planned(NamedStore named, EngineSettings settings, Supplier<StorePlace> place) {}

    private Planned planned(NamedStore named) {
        DelayJobProperties properties = named.properties("", DelayJobProperties.class);
        EngineSettings settings = settings(properties);
        return new Planned(named, settings, place(named, properties, settings));
    }

    private DelayJobStore built(Planned planned, StorePlace place) {
        NamedStore named = planned.named;
        EngineSettings settings = planned.settings;
        SharedSurroundings shared = shared();
        EngineClock clock = shared == null ? new StoreClock(place.store()::clockMicros) : shared.clock();
        LeaseProvider leases = shared == null ? place.leases(settings, clock) : shared.leases();
        HandlerRegistry handlers = new HandlerRegistry();
        JobListeners listeners = new JobListeners(beans.getBeanProvider(JobListener.class)
                .orderedStream()
                .filter(listener -> !(listener instanceof OfDefaultStore))
                .toList());
        DelayJobThreads threads = beans.getBean(DelayJobThreads.class);
        DelayJobEngine engine = InvalidSettingException.checked(
                "delayjob.payload.max-read-size",
                () -> DelayJobEngine.builder(settings, customized(named, place))
                        .leases(leases)
                        .handlers(handlers)
                        .codec(beans.getBean(PayloadCodec.class))
                        .clock(clock)
                        .agents(new NamedAgents(named.name(), threads.agents()))
                        .workers(threads.workers())
                        .random(beans.getBean(EngineRandom.class))
                        .listeners(listeners)
                        .traces(beans.getBeanProvider(TraceSource.class).getIfAvailable(() -> TraceSource.NONE))
                        .build());
        return new DelayJobStore(
                named.name(),
                engine,
                place.store(),
                settings,
                clock,
                handlers,
                new DelayJobStore.Surroundings(listeners, place.transactions()));
    }

    private EngineSettings settings(DelayJobProperties properties) {
        EngineSettings settings = new SettingsFactory(beans.getBean(EngineRandom.class)).settings(properties);
        for (EngineSettingsCustomizer customizer : beans.getBeanProvider(EngineSettingsCustomizer.class)
                .orderedStream()
                .toList()) {
            settings = customizer.customize(settings);
        }
        return settings;
    }

    private @Nullable SharedSurroundings shared() {
        return beans.getBeanProvider(SharedSurroundings.class).getIfAvailable();
    }

    private Supplier<StorePlace> place(NamedStore named, DelayJobProperties properties, EngineSettings settings) {
        if (named.isJdbc()) {
            return StorePlace.inDatabase(named, databases, beans, properties, settings);
        }
        return named.isRedis()
                ? PlaceInRedis.of(named, beans, properties, settings)
                : StorePlace.inMemory(properties, shared());
    }

    private JobStore customized(NamedStore named, StorePlace place) {
        JobStore customized = place.store();
        List<JobStoreCustomizer> customizers = beans.getBeanProvider(JobStoreCustomizer.class)
                .orderedStream()
                .filter(customizer -> !(customizer instanceof OfDefaultStore))
                .toList();
        for (JobStoreCustomizer customizer : customizers) {
            customized = customizer.customize(customized, named.name());
        }
        @Nullable CallsInTransactions calls = place.calls();
        return calls == null ? customized : calls.customize(customized);
    }

    /** Adds the store's name to the names of agents, so that thread dumps and logs show the store. */
    private record NamedAgents(String store, AgentRunner runner) implements AgentRunner {

        @Override
        public AgentHandle start(Agent agent) {
            return runner.start(new NamedAgent(store + "-" + agent.roleName(), agent));
        }
    }

    private record NamedAgent(String roleName, Agent agent) implements Agent {

        @Override
        public long doWork() {
            return agent.doWork();
        }
    }
}
