package io.delayjob.test;

import io.delayjob.job.JobId;
import io.delayjob.settings.EngineSettings;
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
     * another instance hears of its return. Then the others find the group when they look for groups, every ten
     * minutes.
     */
    private static final Duration UNWATCHED_GROUP_ENDS_WITHIN = Duration.ofMinutes(11);

    /** Maximum time until the jobs of {@link FocusedCalls#scheduleBacklog} have ended. */
    private static final Duration BACKLOG_ENDS_WITHIN = Duration.ofSeconds(15);

    private final SplittableRandom random;
    private final ClusterKind kind;
    private final boolean calm;
    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final Interleaving interleaving = new Interleaving(time);
    private final History history = new History(time.clock());
    private final Faults faults = new Faults(time.clock(), history);
    private final World world;
    private final Judge judge;
    private final Workload workload;
    private final FocusedCalls focused;
    private final long livenessNanos;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Fault> storeFaults = new ArrayList<>();
    private int joined;
    private boolean over;

    private Simulation(long seed, ClusterKind kind, Mutation mutation) {
        this.random = new SplittableRandom(seed);
        this.kind = kind;
        this.calm = kind == ClusterKind.CALM;
        EngineSettings settings = kind.settings(random);
        SharedStore store = new SharedStore(time.clock());
        this.livenessNanos = settings.cluster().liveness().toNanos();
        this.judge = new Judge(time.clock(), store, faults, history, settings, calm);
        this.world = new World(time, interleaving, store, faults, judge, mutation, settings);
        SplittableRandom ofCalls = random.split();
        this.workload = new Workload(world, ofCalls, this::anyNode);
        this.focused = new FocusedCalls(kind, workload, world, ofCalls);
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

    /** Runs a simulation in which instances and store follow the protocol. */
    static Outcome of(ClusterKind kind, long seed) {
        return of(kind, seed, Mutation.NONE);
    }

    static Outcome of(ClusterKind kind, long seed, Mutation mutation) {
        return new Simulation(seed, kind, mutation).run();
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
        if (kind == ClusterKind.TURNS && random.nextBoolean()) {
            takeTurns();
        }
        if (kind == ClusterKind.KEEPING && random.nextInt(4) == 0) {
            awaitRemoval();
        }
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
        focused.handlersFor(node);
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
        if (kind.isFocused() && !random.nextBoolean()) {
            focused.act(node);
        } else {
            workload.act(node);
        }
    }

    // ---- faults

    private void disturb() {
        Node node = anyNode();
        if (node == null || over) {
            return;
        }
        Fault.Kind fault = kind == ClusterKind.PAUSES ? Fault.Kind.PAUSE_IN_CALL : KINDS[random.nextInt(KINDS.length)];
        switch (fault) {
            case CRASH -> crash(node);
            case STOP -> stop(node);
            case PAUSE, SUSPEND -> pause(node, fault);
            case CRASH_IN_CALL, PAUSE_IN_CALL -> strike(node, fault);
            case CLOCK_STEP -> {
                node.machine().setWallClock(Duration.ofHours(random.nextBoolean() ? 1 : -1));
                begin(fault, node.name(), Duration.ZERO).tookEffect();
            }
            case STORE_CLOCK_STEP -> setStoreClock();
            default -> breakLink(node, fault);
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
        if (kind == ClusterKind.PAUSES) {
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
        while ((!world.store().jobs.partitionsInUse().isEmpty()
                        || judge.groups().isAnyWaiting())
                && goesOnUntil(bound)) {
            // A call that waited while its machine stood still may have paused a name only now.
            workload.resumeAll();
            advance(SLICE);
        }
        long boundOfGroups = bound + UNWATCHED_GROUP_ENDS_WITHIN.toNanos();
        while (judge.groups().isAnyWaiting() && goesOnUntil(boundOfGroups)) {
            advance(SLICE);
        }
        judge.checkAll();
    }

    /** Lets one job of a new tenant wait behind a backlog of another tenant, on each instance. */
    private void takeTurns() {
        advance(Duration.ofNanos(2 * livenessNanos));
        judge.turns().begin();
        for (Node node : nodes) {
            focused.scheduleBacklog(node, "small-at-" + node);
        }
        advance(BACKLOG_ENDS_WITHIN);
        judge.checkAll();
    }

    /** Waits until each ended job must have been deleted. */
    private void awaitRemoval() {
        advance(judge.keeping().untilAllAreRemoved());
        judge.keeping().checkRemoved();
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
