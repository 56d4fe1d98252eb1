package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.Durability;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.StoreClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which jobs a stop, a pause or a lack of threads affects. */
class EngineStopTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final MemoryJobStore store = new MemoryJobStore(StoreClock::wallMicros);
    private final EngineThreads threads = new EngineThreads();
    private final CompletableFuture<Runnable> handedToWorkers = new CompletableFuture<>();
    private final DelayJobEngine engine = engine(store, handedToWorkers::complete);

    private DelayJobEngine engine(JobStore store, Executor workers) {
        return engine(store, workers, threads);
    }

    private DelayJobEngine engine(JobStore store, Executor workers, AgentRunner runner) {
        return engine(store, workers, runner, Duration.ofMillis(500));
    }

    /** Returns an engine that waits for interrupted attempts as long as an engine can: for a second. */
    private DelayJobEngine patientEngine(JobStore store) {
        return engine(store, threads.workers(), threads, Duration.ofSeconds(1));
    }

    private DelayJobEngine engine(JobStore store, Executor workers, AgentRunner runner, Duration stopAwait) {
        return DelayJobEngine.builder(
                        EngineSettings.defaults("test#1").toBuilder()
                                .stopAwait(stopAwait)
                                .build(),
                        store)
                .leases(new DelayJobEngineTest.EveryLease())
                .handlers(handlers)
                .codec(new DelayJobEngineTest.NoPayloads())
                .clock(StoreClock.ofThisMachine())
                .agents(runner)
                .workers(workers)
                .random(new EngineRandom())
                .build();
    }

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void jobThatHasItsSlotButNotYetItsThread_keepsItsInstanceInTheRegister() throws Exception {
        handlers.register(Handler.named("job").calls((arguments, job) -> null));
        engine.start();
        JobId id = engine.operations().schedule("job").now().id();
        handedToWorkers.get(30, TimeUnit.SECONDS);

        engine.stop();

        assertThat(store.find(id))
                .get()
                .satisfies(job -> assertThat(job.state())
                        .as("claimed, and about to be called")
                        .isEqualTo(JobState.RUNNING));
        assertThat(store.instances().list())
                .as("otherwise others would repeat it at once, while it may still begin here")
                .hasSize(1);
    }

    @Test
    void jobs_whileTheStopWaitsForAnAgent_areNotStarted() {
        handlers.register(Handler.named("job").calls((arguments, job) -> null));
        List<Agent> agents = new ArrayList<>();
        List<Agent> stopped = new ArrayList<>();
        // While the stop waits for this agent, the other agents that are not stopped yet continue.
        DelayJobEngine byHand = engine(store, handedToWorkers::complete, agent -> {
            agents.add(agent);
            return new StoppedByHand(() -> {
                agents.stream().filter(other -> !stopped.contains(other)).forEach(Agent::doWork);
                stopped.add(agent);
            });
        });
        byHand.start();
        agents.stream().filter(agent -> !agent.roleName().equals("claim")).forEach(Agent::doWork);
        JobId id = byHand.operations().schedule("job").now().id();
        agents.stream().filter(agent -> agent.roleName().equals("wheel")).forEach(Agent::doWork);
        assertThat(byHand.status().ready()).isOne();

        byHand.stop();

        assertThat(handedToWorkers).as("an attempt that began in the meantime").isNotDone();
        assertThat(store.find(id))
                .get()
                .satisfies(
                        job -> assertThat(job.attempt()).as("number of claims").isZero());
    }

    @Test
    void stopWithAFailedStep_doesAllOtherSteps_andTheEngineCanBeStartedAgain() {
        handlers.register(Handler.named("job").calls((arguments, job) -> null));
        List<Agent> agents = new ArrayList<>();
        List<String> stopped = new ArrayList<>();
        DelayJobEngine byHand = engine(store, handedToWorkers::complete, agent -> {
            agents.add(agent);
            return new StoppedByHand(() -> {
                stopped.add(agent.roleName());
                throw new NoClassDefFoundError("pretended");
            });
        });
        byHand.start();
        agents.forEach(Agent::doWork);
        assertThat(store.instances().list()).hasSize(1);

        byHand.stop();

        assertThat(byHand.status().running()).isFalse();
        assertThat(stopped).contains("sweep", "lease", "claim", "complete", "heartbeat");
        assertThat(store.instances().list()).as("it has left the register").isEmpty();
        int before = agents.size();
        byHand.start();
        assertThat(agents).hasSize(2 * before);
    }

    /** A handle of an agent that runs an action when the agent must stop. */
    private record StoppedByHand(Runnable onStop) implements AgentHandle {

        @Override
        public void wake() {}

        @Override
        public void stop() {
            onStop.run();
        }
    }

    @Test
    void pauseThatReturnsBeforeAClaimedJobHasAThread_preventsItsStart() throws Exception {
        AtomicBoolean called = new AtomicBoolean();
        handlers.register(Handler.named("job").calls((arguments, job) -> called.getAndSet(true)));
        engine.start();
        JobId id = engine.operations().schedule("job").now().id();
        Runnable worker = handedToWorkers.get(30, TimeUnit.SECONDS);

        engine.operations().pause("job");
        worker.run();
        engine.stop();

        assertThat(called).isFalse();
        assertThat(store.find(id))
                .get()
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.DELAYED));
    }

    @Test
    void interruptedAttemptThatMayStartOnceOnly_isNotStartedAgain() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<JobId> started = new CompletableFuture<>();
        handlers.register(
                Handler.named("charge").delivery(Delivery.AT_MOST_ONCE).calls((arguments, job) -> {
                    started.complete(job.id());
                    never.await();
                    return null;
                }));
        DelayJobEngine real = patientEngine(store);
        real.start();
        JobId id = real.operations().schedule("charge").now().id();
        started.get(30, TimeUnit.SECONDS);

        real.stop();

        assertThat(store.find(id))
                .get()
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.FAILED));
    }

    @Test
    void atomicAttemptThatWaitsForAConnection_isGivenBack() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        HandlerTransactions exhausted = (work, timeout) -> {
            waiting.countDown();
            try {
                never.await();
                throw new AssertionError("there never was one");
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw StoreException.unavailable("no connection", stopped);
            }
        };
        handlers.register(Handler.named("job").atomic(true).calls((arguments, job) -> null));
        DelayJobEngine real = patientEngine(withTransactions(exhausted));
        real.start();
        JobId id = real.operations().schedule("job").now().id();
        assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();

        real.stop();

        assertThat(store.find(id)).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.DELAYED);
            assertThat(job.failures()).isZero();
            assertThat(job.rescues()).isZero();
        });
        assertThat(store.instances().list()).as("nothing is under way here").isEmpty();
    }

    private JobStore withTransactions(HandlerTransactions transactions) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "handlerTransactions" -> transactions;
                    case "capabilities" ->
                        new StoreCapabilities(Durability.PROCESS, Set.of(StoreCapability.HANDLER_TRANSACTIONS));
                    default -> method.invoke(store, arguments);
                });
    }

    @Test
    void jobWithoutAnAvailableThread_isReleasedAndRunsLater() throws Exception {
        CompletableFuture<JobId> made = new CompletableFuture<>();
        handlers.register(Handler.named("job").calls((arguments, job) -> made.complete(job.id())));
        AtomicBoolean exhausted = new AtomicBoolean(true);
        DelayJobEngine real = engine(store, task -> {
            if (exhausted.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.workers().execute(task);
        });
        real.start();
        JobId id = real.operations().schedule("job").now().id();

        assertThat(made.get(30, TimeUnit.SECONDS)).isEqualTo(id);
        real.stop();
    }
}
