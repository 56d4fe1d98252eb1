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

/** One instance of the simulated application: a process on a machine of its own, with an engine of the real code. */
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
     * @param codec how it writes and reads payloads
     * @param crashed told when it has died in the middle of a call
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
                .clock(new StoreClock(linked::clockMicros, machine::wallMillis, machine::nanos))
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
     * What it knew of the store's clock when it sent a claim.
     *
     * @param claimNanos when that was
     * @param heardNanos when it had sent the last heartbeat that was answered; -1 if there was none
     * @param aheadNanos how far its idea of the store's time may be ahead of a clock that was not set back since: by what
     *     the quickest such answer took
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

    /** The job whose handler is being called. */
    Job starting() {
        return Objects.requireNonNull(starting);
    }

    /** Has something happen in this process, after a while, if it is still there. */
    void later(Duration delay, Runnable action) {
        process.schedule(delay.toNanos(), () -> {
            try {
                action.run();
            } catch (Interleaving.ProcessEnded ended) {
                // Whatever it was about, it went with the process.
            }
        });
    }

    /** The process is gone, without a word to anybody. */
    void die() {
        process.kill();
    }

    /** Stands still for so long, or longer if it does so already. */
    void standStill(Duration span) {
        standStill(span, () -> {});
    }

    /** The whole machine sleeps for so long. */
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

    /** As on SIGTERM; the process ends when the engine has stopped. */
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
            world.judge().leads(Node.this, partition);
        }
    }

    /** Notes when the engine has come to know the store's time. */
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

    /** Whoever stops an agent waits for its call under way in virtual time. */
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
