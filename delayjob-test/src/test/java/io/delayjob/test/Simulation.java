package io.delayjob.test;

import io.delayjob.job.JobId;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a virtual minute of three instances. One seed decides everything: the calls that schedule, cancel,
 * reschedule and retry jobs and, unless the simulation is calm, the faults. The engines are real. The clock, the
 * threads, the network and the random numbers are simulated. The {@linkplain Judge judge} checks all promises all the
 * time.
 *
 * <pre>
 *   |-- three join --|-- calls of the application, faults --|-- no more faults: all jobs end --|-- one more crash --|
 * </pre>
 */
final class Simulation {

    /** Minimum number of jobs of each seed. */
    static final int MIN_JOBS = 20;

    /** Minimum number of faults with an effect for each seed that is not calm. */
    static final int MIN_FAULTS = 3;

    private static final int INSTANCES = 3;
    private static final int CALLS = 45;
    private static final Fault.Kind[] KINDS = Fault.Kind.values();
    private static final int JOINING_MILLIS = 500;
    private static final Duration ALL_JOINED = Duration.ofMillis(JOINING_MILLIS + 100);
    private static final Duration SLICE = Duration.ofSeconds(2);

    /**
     * Maximum time after the last fault until all jobs have ended, in addition to five liveness periods. Due times,
     * retries and unreadable payloads need this time.
     */
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(45);

    /**
     * Maximum time for a group that nobody watches. An instance that was given up may name a group and stop before
     * another instance hears of its return. Then the others find the group when they look for groups, every ten minutes.
     */
    private static final Duration UNWATCHED_GROUP_ENDS_WITHIN = Duration.ofMinutes(11);

    private final SplittableRandom random;
    private final boolean calm;

    /** The jobs of half of the calls, or the kind of all faults. */
    private final Focus focus;

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final Interleaving interleaving = new Interleaving(time);
    private final History history = new History(time.clock());
    private final Faults faults = new Faults(time.clock(), history);
    private final World world;
    private final Judge judge;
    private final Workload workload;
    private final long livenessNanos;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Fault> storeFaults = new ArrayList<>();
    private int joined;
    private boolean over;

    private Simulation(long seed, boolean calm, Mutation mutation) {
        this(seed, calm, Focus.NONE, mutation);
    }

    private Simulation(long seed, boolean calm, Focus focus, Mutation mutation) {
        this.random = new SplittableRandom(seed);
        this.calm = calm;
        this.focus = focus;
        EngineSettings settings = settings();
        SharedStore store = new SharedStore(time.clock());
        this.livenessNanos = settings.cluster().liveness().toNanos();
        this.judge = new Judge(
                time.clock(),
                store,
                faults,
                history,
                settings.cluster().liveness(),
                settings.preload().claimLead(),
                calm);
        this.world = new World(time, interleaving, store, faults, judge, mutation, settings);
        this.workload = new Workload(world, random.split(), this::anyNode);
    }

    private enum Focus {
        NONE,
        /** Jobs with a mutex. */
        MUTEXES,
        /** Jobs of a handler whose concurrency counts in the cluster. */
        LIMIT,
        /** Jobs of a handler that has a rate for each key. */
        RATE,
        /** Jobs that expire. */
        EXPIRY,
        /** Pauses during a write that are about as long as a lease. */
        PAUSES
    }

    /** The outcome of one seed. */
    record Outcome(
            long digest,
            Judge.@Nullable Violation violation,
            int instances,
            int jobs,
            int attempts,
            int duplicates,
            int fenced,
            Map<Fault.Kind, Integer> faults,
            Duration virtualTime,
            String story) {

        int faultsFelt() {
            return faults.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** Runs a simulation with faults, in which instances and store follow the protocol. */
    static Outcome troubled(long seed) {
        return new Simulation(seed, false, Mutation.NONE).run();
    }

    /** Runs a simulation without faults. */
    static Outcome calm(long seed) {
        return new Simulation(seed, true, Mutation.NONE).run();
    }

    /** Half of the calls are about jobs with a mutex, and anything may go wrong. */
    static Outcome withMutexes(long seed, Mutation mutation) {
        return new Simulation(seed, false, Focus.MUTEXES, mutation).run();
    }

    /** Half of the calls are about jobs of a handler with a limit in the cluster, and anything may go wrong. */
    static Outcome withLimit(long seed, Mutation mutation) {
        return new Simulation(seed, false, Focus.LIMIT, mutation).run();
    }

    /** Half of the calls are about jobs of a handler with a rate for each key, and anything may go wrong. */
    static Outcome withRate(long seed, Mutation mutation) {
        return new Simulation(seed, false, Focus.RATE, mutation).run();
    }

    /** Half of the calls are about jobs that expire, and anything may go wrong. */
    static Outcome withExpiry(long seed, Mutation mutation) {
        return new Simulation(seed, false, Focus.EXPIRY, mutation).run();
    }

    /** Nothing goes wrong, except that processes stand still during a write, until about the end of their leases. */
    static Outcome withPauses(long seed, Mutation mutation) {
        return new Simulation(seed, false, Focus.PAUSES, mutation).run();
    }

    static Outcome mutated(long seed, boolean calm, Mutation mutation) {
        return new Simulation(seed, calm, mutation).run();
    }

    /** Returns the default settings or faster settings, with limits that are small enough to be reached. */
    private EngineSettings settings() {
        int[] partitions = {1, 2, 4, 8};
        int[] batches = {1, 3, 500};
        EngineSettings.Builder settings = EngineSettings.defaults("settings").toBuilder()
                .partitions(partitions[random.nextInt(partitions.length)])
                .batchSize(batches[random.nextInt(batches.length)])
                .maxJobs(random.nextBoolean() ? 100 : 1_000)
                .queues(Map.of("default", new QueueSettings(calm ? 16 : 3 + random.nextInt(14), true)))
                .interruptGrace(Duration.ofMillis(500))
                .unreadablePayloadAfter(Duration.ofSeconds(15))
                .stopAwait(Duration.ZERO);
        if (random.nextInt(4) > 0) {
            settings.liveness(Duration.ofSeconds(4))
                    .heartbeat(Duration.ofMillis(800))
                    .leaseDuration(Duration.ofSeconds(4))
                    .window(Duration.ofSeconds(4));
        }
        return settings.build();
    }

    private Outcome run() {
        try {
            play();
        } finally {
            nodes.forEach(Node::die);
            interleaving.close();
        }
        Judge.Violation violation = judge.verdict().orElse(null);
        return new Outcome(
                history.digest(),
                violation,
                joined,
                judge.lives().size(),
                judge.starts,
                judge.duplicates,
                judge.fenced,
                faults.byKind(),
                Duration.ofNanos(time.clock().nanoTime()),
                violation == null ? "" : story(violation));
    }

    private String story(Judge.Violation violation) {
        StringBuilder text = new StringBuilder("Settings: " + world.settings() + "\nWhat went wrong:\n" + faults);
        text.append("What happened to the job, and around it:\n");
        history.about(violation.job())
                .forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }

    private void play() {
        for (int i = 0; i < INSTANCES; i++) {
            int index = i;
            nodes.add(newNode(index));
            later(
                    Duration.ofMillis(random.nextInt(JOINING_MILLIS)),
                    () -> nodes.get(index).start());
        }
        long active = 4 * livenessNanos;
        for (int i = 0; i < CALLS; i++) {
            later(ALL_JOINED.plusNanos(random.nextLong(active)), this::act);
        }
        if (!calm) {
            for (int i = 3 + random.nextInt(5); i >= 0; i--) {
                later(Duration.ofNanos(livenessNanos / 2 + random.nextLong(active - livenessNanos / 2)), this::disturb);
            }
        }
        advance(ALL_JOINED.plusNanos(active));
        completeScript(active);
        settle();
        if (!calm && judge.verdict().isEmpty() && random.nextInt(4) == 0) {
            dieOnceMore();
        }
    }

    /** Adds jobs and faults if chance has caused too few. */
    private void completeScript(long nanos) {
        long end = time.clock().nanoTime() + nanos;
        while (judge.lives().size() < MIN_JOBS && goesOnUntil(end)) {
            act();
            advance(Duration.ofMillis(100));
        }
        while (!calm && faults.felt() < MIN_FAULTS && goesOnUntil(end)) {
            Node node = anyNode();
            if (node != null) {
                crash(node);
            }
            advance(Duration.ofSeconds(1));
        }
    }

    /** Advances time until then. Stops when a promise is violated. */
    private boolean goesOnUntil(long nanos) {
        return time.clock().nanoTime() < nanos && judge.verdict().isEmpty();
    }

    private void later(Duration delay, Runnable action) {
        time.schedule(delay.toNanos(), action);
    }

    private void advance(Duration duration) {
        long end = time.clock().nanoTime() + duration.toNanos();
        while (goesOnUntil(end)) {
            interleaving.advance(Duration.ofNanos(
                    Math.min(SLICE.toNanos(), end - time.clock().nanoTime())));
        }
    }

    // ---- instances

    /** Returns a new instance. The first instance has all handlers, so that each handler exists somewhere. */
    private Node newNode(int index) {
        boolean complete = calm || index == 0 || random.nextInt(4) > 0;
        Node node = new Node(world, "m" + joined++, complete, workload.codecFor(complete), random.split(), this::dies);
        workload.handlersFor(node);
        if (focus == Focus.LIMIT) {
            workload.limitedHandlerFor(node);
        } else if (focus == Focus.RATE) {
            workload.pacedHandlerFor(node);
        } else if (focus == Focus.EXPIRY) {
            workload.hastyHandlerFor(node);
        }
        storeFaults.forEach(node.link()::add);
        return node;
    }

    private void replace(Node gone) {
        int index = nodes.indexOf(gone);
        later(Duration.ofMillis(random.nextInt(3_000)), () -> {
            nodes.set(index, newNode(index));
            nodes.get(index).start();
        });
    }

    /** Returns any instance that runs; {@code null} if none runs. */
    private @Nullable Node anyNode() {
        List<Node> alive = nodes.stream()
                .filter(node -> node.lives() && !node.isStopping())
                .toList();
        return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
    }

    private void act() {
        Node node = anyNode();
        if (node == null) {
            return;
        }
        if (focus == Focus.NONE || focus == Focus.PAUSES || random.nextBoolean()) {
            workload.act(node);
        } else if (focus == Focus.MUTEXES) {
            workload.actOnMutex(node);
        } else if (focus == Focus.LIMIT) {
            workload.actOnLimit(node);
        } else if (focus == Focus.RATE) {
            workload.actOnRate(node);
        } else {
            workload.actOnExpiry(node);
        }
    }

    // ---- faults

    private void disturb() {
        Node node = anyNode();
        if (node == null || over) {
            return;
        }
        Fault.Kind kind = focus == Focus.PAUSES ? Fault.Kind.PAUSE_IN_CALL : KINDS[random.nextInt(KINDS.length)];
        switch (kind) {
            case CRASH -> crash(node);
            case STOP -> stop(node);
            case PAUSE, SUSPEND -> pause(node, kind);
            case CRASH_IN_CALL, PAUSE_IN_CALL -> strike(node, kind);
            case CLOCK_STEP -> {
                node.machine().setWallClock(Duration.ofHours(random.nextBoolean() ? 1 : -1));
                begin(kind, node.name(), Duration.ZERO).tookEffect();
            }
            case STORE_CLOCK_STEP -> setStoreClock();
            default -> breakLink(node, kind);
        }
    }

    private Fault begin(Fault.Kind kind, String where, Duration duration) {
        return begin(kind, where, duration, 1);
    }

    private Fault begin(Fault.Kind kind, String where, Duration duration, double share) {
        return faults.begin(kind, where, time.clock().nanoTime() + duration.toNanos(), share);
    }

    /** Returns the length of a fault. Most are short, but one in three is longer than a liveness. */
    private Duration span() {
        if (focus == Focus.PAUSES) {
            return Duration.ofNanos(livenessNanos / 2 + random.nextLong(livenessNanos / 2));
        }
        return Duration.ofNanos(
                random.nextInt(3) == 0
                        ? livenessNanos / 2 + random.nextLong(livenessNanos * 3 / 2)
                        : random.nextLong(livenessNanos / 4));
    }

    private void crash(Node node) {
        begin(Fault.Kind.CRASH, node.name(), Duration.ZERO).tookEffect();
        dies(node);
    }

    private void dies(Node node) {
        node.die();
        if (!node.isStopping()) {
            replace(node);
        }
    }

    private void stop(Node node) {
        Fault fault = begin(Fault.Kind.STOP, node.name(), Duration.ZERO);
        fault.tookEffect();
        node.stop(() -> fault.feltUntil(time.clock().nanoTime()));
        replace(node);
    }

    private void pause(Node node, Fault.Kind kind) {
        Duration span = span();
        begin(kind, node.name(), span).tookEffect();
        if (kind == Fault.Kind.SUSPEND) {
            node.suspend(span);
        } else {
            node.standStill(span);
        }
    }

    private void strike(Node node, Fault.Kind kind) {
        node.link().strike(begin(kind, node.name(), Duration.ZERO), random.nextInt(6), span());
    }

    private void setStoreClock() {
        Duration by = Duration.ofMillis(random.nextInt(-10_000, 10_000));
        begin(Fault.Kind.STORE_CLOCK_STEP, Faults.STORE, by.abs()).tookEffect();
        world.store().setClock(by);
        if (by.isNegative()) {
            judge.storeWasSetBack();
        }
    }

    private void breakLink(Node node, Fault.Kind kind) {
        double[] shares = {1, 1, 0.5, 0.2};
        double share = shares[random.nextInt(shares.length)];
        if (random.nextInt(3) > 0) {
            node.link().add(begin(kind, node.name(), span(), share));
            return;
        }
        Fault ofStore = begin(kind, Faults.STORE, span(), share);
        storeFaults.add(ofStore);
        nodes.forEach(each -> each.link().add(ofStore));
    }

    // ---- afterwards

    private void settle() {
        over = true;
        storeFaults.clear();
        nodes.forEach(node -> node.link().heal());
        long bound = Math.max(faults.overNanos(), time.clock().nanoTime()) + ENDS_WITHIN.toNanos() + 5 * livenessNanos;
        advance(Duration.ofSeconds(4));
        while ((!world.store().jobs.partitionsInUse().isEmpty() || judge.isAnyGroupWaiting()) && goesOnUntil(bound)) {
            // A call that waited while its machine stood still may have paused a name only now.
            workload.resumeAll();
            advance(SLICE);
        }
        long boundOfGroups = bound + UNWATCHED_GROUP_ENDS_WITHIN.toNanos();
        while (judge.isAnyGroupWaiting() && goesOnUntil(boundOfGroups)) {
            advance(SLICE);
        }
        judge.checkAll();
    }

    /** Kills an instance after all faults have ended. */
    private void dieOnceMore() {
        advance(Duration.ofNanos(2 * livenessNanos + random.nextLong(livenessNanos)));
        Node victim = nodes.get(random.nextInt(nodes.size()));
        List<JobId> running = workload.longOnes(victim, 2);
        advance(Duration.ofMillis(random.nextInt(1_000)));
        begin(Fault.Kind.CRASH, victim.name(), Duration.ZERO).tookEffect();
        victim.die();
        advance(Duration.ofNanos(livenessNanos).plusSeconds(1));
        for (JobId id : running) {
            judge.checkResumed(id, victim);
        }
    }
}
