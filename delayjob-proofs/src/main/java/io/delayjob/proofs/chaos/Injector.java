package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestFault;
import io.delayjob.jdbc.TestProxy;
import io.delayjob.jdbc.TestProxy.Direction;
import io.delayjob.jdbc.TestProxy.Effect;
import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Injects the faults of a plan. The faults of one process follow each other; those of different processes may overlap.
 */
final class Injector {

    /** Maximum time that a fault waits until a process sends a statement that it can strike. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Duration BETWEEN_PROBES = Duration.ofMillis(5);

    private final Cluster cluster;
    private final RoundServer server;
    private final Profile profile;
    private final List<ReentrantLock> slots = new ArrayList<>();
    private final ReentrantLock ofServer = new ReentrantLock();
    private final CountDownLatch never = new CountDownLatch(1);
    private Thread starting = new Thread();

    Injector(Cluster cluster, RoundServer server, Round.Setup setup) {
        this.cluster = cluster;
        this.server = server;
        this.profile = setup.profile();
        for (int slot = 0; slot < setup.workers(); slot++) {
            slots.add(new ReentrantLock());
        }
    }

    List<Fault> run(FaultPlan plan) throws InterruptedException {
        ScheduledExecutorService hands = Executors.newScheduledThreadPool(slots.size() + 1);
        try {
            List<ScheduledFuture<Fault>> pending = plan.steps().stream()
                    .map(step -> hands.schedule(() -> inject(step), step.after().toMillis(), TimeUnit.MILLISECONDS))
                    .toList();
            List<Fault> faults = new ArrayList<>();
            for (ScheduledFuture<Fault> fault : pending) {
                faults.add(fault.get());
            }
            return faults;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A fault could not be injected.", failed.getCause());
        } finally {
            hands.shutdownNow();
        }
    }

    private Fault inject(Step step) throws InterruptedException {
        ReentrantLock lock = step.kind().isOfServer() ? ofServer : slots.get(step.slot());
        lock.lock();
        try {
            WorkerProcess worker = cluster.worker(step.slot());
            String name = step.kind().isOfServer() ? "" : worker.name();
            long began = System.nanoTime();
            int effect = inject(step, worker, cluster.proxy(step.slot()));
            long ended = System.nanoTime();
            mend(step, worker);
            return new Fault(step.kind(), name, began, ended, effect);
        } finally {
            lock.unlock();
        }
    }

    private void mend(Step step, WorkerProcess worker) throws InterruptedException {
        switch (step.kind()) {
            case KILL, TERMINATE -> {
                cluster.replace(step.slot());
                worker.awaitExit();
            }
            case RESTART -> starting.join();
            default -> {}
        }
    }

    private int inject(Step step, WorkerProcess worker, TestProxy proxy) throws InterruptedException {
        return switch (step.kind()) {
            case KILL -> kill(worker);
            case PAUSE, HALT -> pause(worker, step.length());
            case TERMINATE -> terminate(worker);
            case RESTART -> restart(step.length());
            case CUT -> cut(proxy, step.length());
            case STALL_REQUESTS -> stall(proxy, Direction.TO_SERVER, step);
            case STALL_ANSWERS -> stall(proxy, Direction.TO_CLIENT, step);
            case STRAND -> strand(proxy);
            case LOSE_ANSWER -> strike(proxy, Effect.LOSE_ANSWER, step);
            case HOLD_ANSWER -> strike(proxy, Effect.HOLD_ANSWER, step);
            case DELAY_REQUEST -> strike(proxy, Effect.DELAY_REQUEST, step);
            case EXHAUST_POOL -> worker.command("hog " + step.length().toMillis());
            case LOSE_ANSWERS -> loseAnswers(proxy);
            case FORGET_SCRIPTS, BUSY_SCRIPT, FULL_MEMORY -> server.inject(step.kind(), step.length()) ? 1 : 0;
            case FAILOVER -> failOver(step);
        };
    }

    private static int kill(WorkerProcess worker) {
        boolean lived = worker.isAlive();
        worker.kill();
        return lived ? 1 : 0;
    }

    private static int terminate(WorkerProcess worker) {
        boolean lived = worker.isAlive();
        worker.terminate();
        return lived ? 1 : 0;
    }

    private int pause(WorkerProcess worker, Duration length) throws InterruptedException {
        boolean stopped = worker.pause();
        rest(length);
        return worker.resume() && stopped ? 1 : 0;
    }

    private int cut(TestProxy proxy, Duration length) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        int count = proxy.cut();
        while (count == 0 && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_PROBES);
            count = proxy.cut();
        }
        proxy.refuse();
        count += proxy.cut();
        rest(length);
        proxy.accept();
        return count;
    }

    private int stall(TestProxy proxy, Direction direction, Step step) throws InterruptedException {
        if (step.statement().isEmpty()) {
            return stall(proxy, direction, step.length());
        }
        TestFault answer = proxy.atCommit(step.statement(), Effect.HOLD_ANSWER);
        answer.await(LONGEST_WAIT);
        int held = stall(proxy, direction, step.length());
        answer.release();
        proxy.disarm();
        return held;
    }

    private int stall(TestProxy proxy, Direction direction, Duration length) throws InterruptedException {
        long before = proxy.counts().held();
        proxy.stall(direction);
        rest(length);
        proxy.resume();
        return (int) (proxy.counts().held() - before);
    }

    private int strand(TestProxy proxy) throws InterruptedException {
        int count = proxy.strand();
        rest(Duration.ofSeconds(profile.socketTimeoutSeconds()));
        return count;
    }

    private int strike(TestProxy proxy, Effect effect, Step step) throws InterruptedException {
        TestFault fault = proxy.atCommit(step.statement(), effect);
        boolean happened = fault.await(LONGEST_WAIT);
        if (happened) {
            rest(effect == Effect.LOSE_ANSWER ? Duration.ZERO : step.length());
        }
        fault.release();
        proxy.disarm();
        return happened ? 1 : 0;
    }

    private int restart(Duration down) throws InterruptedException {
        server.crash();
        rest(down);
        // PostgreSQL itself reports the restart about a tenth of a second too late.
        starting = new Thread(server::startAgain, "server-start");
        starting.start();
        while (!server.isAccepting()) {
            rest(BETWEEN_PROBES);
        }
        return 1;
    }

    private int failOver(Step step) throws InterruptedException {
        boolean tookOver = server.inject(step.kind(), step.length());
        cluster.follow(server);
        return tookOver ? 1 : 0;
    }

    private int loseAnswers(TestProxy proxy) throws InterruptedException {
        long before = proxy.counts().held();
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        proxy.stall(Direction.TO_CLIENT);
        while (proxy.counts().held() == before && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_PROBES);
        }
        int held = (int) (proxy.counts().held() - before);
        proxy.cut();
        proxy.resume();
        return held;
    }

    private void rest(Duration length) throws InterruptedException {
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
    }
}
