package io.delayjob;

import static io.delayjob.job.JobState.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.UnsupportedHandlerException;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.Durability;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.time.StoreClock;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests stores that lack an ability. The start of the engine, or the call, fails with a message that says what to do.
 */
class StoreWithoutAbilitiesTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final EngineThreads threads = new EngineThreads();
    private final JobStore memory = new MemoryJobStore(StoreClock::wallMicros);
    private final DelayJobEngine engine = DelayJobEngine.builder(EngineSettings.defaults("test#1"), unable(memory))
            .leases(new DelayJobEngineTest.EveryLease())
            .handlers(handlers)
            .codec(new DelayJobEngineTest.NoPayloads())
            .clock(new StoreClock(memory::clockMicros))
            .agents(threads)
            .workers(Runnable::run)
            .random(new EngineRandom())
            .listeners(new JobListeners(List.of()))
            .build();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void queryWithoutState_isRefusedWithTheNextStep() {
        assertThatThrownBy(() -> engine.operations().find(JobQuery.all()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not find jobs of all states")
                .hasMessageContaining("JobQuery.state(state)");
        assertThatThrownBy(() -> engine.operations().stream(JobQuery.all().name("job")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void queryOfOneStateOrOneKey_isAnswered() {
        assertThat(engine.operations().find(JobQuery.state(FAILED)).jobs()).isEmpty();
        assertThat(engine.operations()
                        .find(JobQuery.all().name("job").key("42"))
                        .jobs())
                .isEmpty();
    }

    @Test
    void idOfTheCallers_isRefusedWithTheNextStep() {
        JobId id = JobId.parse("f81d4fae-7dec-41d0-a765-00a0c91e6bf6");

        assertThatThrownBy(() -> engine.operations().schedule("job").id(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not keep an id that the caller gives; use a key instead");
    }

    @Test
    void atomicHandler_isRefusedAtTheStart() {
        handlers.register(Handler.named("transfer").atomic(true).calls((arguments, job) -> null));

        assertThatThrownBy(engine::start)
                .isInstanceOf(UnsupportedHandlerException.class)
                .hasMessageContaining("'transfer' is atomic")
                .hasMessageContaining(memory.toString());
    }

    private static JobStore unable(JobStore store) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) -> method.getName().equals("capabilities")
                        ? new StoreCapabilities(Durability.PROCESS, Set.of())
                        : method.invoke(store, arguments));
    }
}
