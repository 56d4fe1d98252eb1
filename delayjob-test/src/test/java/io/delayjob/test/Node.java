package io.delayjob.test;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.store.Vitals;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One instance of the simulated application: a process on its own machine, with a real engine. */
final class Node {

    private static final Duration HOUR = Duration.ofHours(1);

    private final World world;
    private final String name;
    private final boolean complete;
    private final VirtualProcess process;
    private final Machine machine;
    private final Link link;
    private final Transactions transactions;
    private final HandlerRegistry handlers = new HandlerRegistry();
    private final DelayJobEngine engine;
    private long heardNanos = -1;
    private long aheadNanos;
    private final Map<Long, Knowledge> knownAtClaims = new HashMap<>();
    private int pauses;
    private boolean stopping;
    private @Nullable Job starting;

    /**
     * @param complete whether it has all handlers and can read all payloads
     * @param codec the codec for its payloads
     * @param crashed called when it has died during a call
     */
    Node(
            World world,
            String name,
            boolean complete,
            PayloadCodec codec,
            SplittableRandom random,
            Consumer<Node> crashed) {
        this.world = world;
        this.name = name;
        this.complete = complete;
        VirtualTime time = world.time();
        process = time.process(name, AgentFailures.IGNORE);
        machine = new Machine(
                time.clock(), random.nextLong(-(1L << 60), 1L << 60), HOUR.multipliedBy(random.nextInt(-2, 3)));
        link = new Link(
                time, world.interleaving(), process, random.split(), () -> crashed.accept(this), this::standStill);
        Mutation mutation = world.mutation();
        JobStore observed = new ObservedStore(mutation.atStore(world.store().jobs, machine), this, world.judge());
        LinkedStore linked = new LinkedStore(link, observed);
        transactions = new Transactions(new HeardStore(linked));
        EngineSettings settings = world.settings().toBuilder().incarnation(name).build();
        engine = DelayJobEngine.builder(settings, mutation.atEngine(transactions, machine))
                .leases(linked.leases(world.store().leases(mutation.leaseHolder(name))))
                .handlers(handlers)
                .codec(codec)
                .clock(mutation.atClock(new StoreClock(linked::clockMicros, machine::wallMillis, machine::nanos)))
                .agents(new WatchedAgents())
                .workers(process.workers())
                .random(random.split())
                .listeners(new JobListeners(List.of(new Listener())))
                .build();
    }

    void start() {
        world.judge().joined(this);
        engine.start();
    }

    String name() {
        return name;
    }

    boolean isComplete() {
        return complete;
    }

    HandlerRegistry handlers() {
        return handlers;
    }

    DelayJobOperations operations() {
        return engine.operations();
    }

    Transactions transactions() {
        return transactions;
    }

    Link link() {
        return link;
    }

    Machine machine() {
        return machine;
    }

    /**
     * The knowledge of an instance about the store's clock when it sent a claim.
     *
     * @param claimNanos the time of the claim
     * @param heardNanos the time at which it had sent the last heartbeat that got a reply; -1 if there was none
     * @param aheadNanos maximum time by which its estimate of store time may be ahead of the store's clock, if the
     *     clock was not set back since: the time that the fastest reply took
     */
    record Knowledge(long claimNanos, long heardNanos, long aheadNanos) {}

    Knowledge knownAtClaim(long token) {
        return knownAtClaims.getOrDefault(token, new Knowledge(-1, -1, 0));
    }

    boolean lives() {
        return !process.isKilled();
    }

    boolean leads(Partition partition) {
        return led().contains(partition);
    }

    Collection<Partition> led() {
        return engine.status().led();
    }

    /** Returns the job whose handler is being called. */
    Job starting() {
        return Objects.requireNonNull(starting);
    }

    /** Runs an action in this process after a delay, if the process still exists. */
    void later(Duration delay, Runnable action) {
        process.schedule(delay.toNanos(), () -> {
            try {
                action.run();
            } catch (Interleaving.ProcessEnded ended) {
                // The process has died during this action.
            }
        });
    }

    /** Kills the process without any further call. */
    void die() {
        process.kill();
    }

    /** Makes the process stand still for this time, or longer if it already stands still. */
    void standStill(Duration span) {
        standStill(span, () -> {});
    }

    /** Suspends the whole machine for this time. */
    void suspend(Duration span) {
        machine.fallsAsleep();
        standStill(span, machine::wakes);
    }

    private void standStill(Duration span, Runnable wakes) {
        pauses++;
        process.pause();
        world.time().schedule(span.toNanos(), () -> {
            wakes.run();
            pauses--;
            if (pauses == 0) {
                process.resume();
            }
        });
    }

    boolean isStopping() {
        return stopping;
    }

    /** Stops the engine, as after SIGTERM. The process ends when the engine has stopped. */
    void stop(Runnable stopped) {
        stopping = true;
        later(Duration.ZERO, () -> {
            engine.stop();
            die();
            stopped.run();
        });
    }

    @Override
    public String toString() {
        return name;
    }

    private final class Listener implements JobListener {

        @Override
        public void started(Job job, Duration lateness) {
            starting = job;
        }

        @Override
        public void leaseAcquired(Partition partition) {
            world.judge().instances().leads(Node.this, partition);
        }
    }

    /** A store that records when the engine has read the store's time. */
    private final class HeardStore extends ForwardingStore {

        private final InstanceStore instances;

        HeardStore(JobStore target) {
            super(target);
            instances = new ForwardingInstances(target.instances()) {
                @Override
                public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
                    long request = world.time().clock().nanoTime();
                    OptionalLong micros = target.beat(number, stopping, vitals);
                    if (micros.isPresent()) {
                        hears(request);
                    }
                    return micros;
                }
            };
        }

        @Override
        public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
            long request = world.time().clock().nanoTime();
            knownAtClaims.put(freshToken, new Knowledge(request, heardNanos, aheadNanos));
            return target.claim(rows, owner, freshToken, now);
        }

        @Override
        public InstanceStore instances() {
            return instances;
        }
    }

    private void hears(long requestNanos) {
        long tookNanos = world.time().clock().nanoTime() - requestNanos;
        boolean again = heardNanos > world.judge().storeSetBackNanos();
        aheadNanos = again ? Math.min(aheadNanos, tookNanos) : tookNanos;
        heardNanos = requestNanos;
    }

    /** A runner whose agents are stopped in virtual time: the caller waits for the call under way. */
    private final class WatchedAgents implements AgentRunner {

        @Override
        public AgentHandle start(Agent agent) {
            WatchedAgent watched = new WatchedAgent(agent);
            AgentHandle handle = process.start(watched);
            return new AgentHandle() {
                @Override
                public void wake() {
                    handle.wake();
                }

                @Override
                public void stop() {
                    while (watched.working) {
                        world.interleaving().sleep(Duration.ofMillis(1).toNanos());
                        if (!lives()) {
                            throw new Interleaving.ProcessEnded();
                        }
                    }
                    handle.stop();
                }
            };
        }
    }

    private static final class WatchedAgent implements Agent {

        private final Agent agent;
        private boolean working;

        WatchedAgent(Agent agent) {
            this.agent = agent;
        }

        @Override
        public String roleName() {
            return agent.roleName();
        }

        @Override
        public long doWork() {
            working = true;
            try {
                return agent.doWork();
            } finally {
                working = false;
            }
        }
    }
}
