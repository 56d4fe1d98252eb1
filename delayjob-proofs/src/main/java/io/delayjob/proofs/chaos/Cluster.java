package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The worker processes of a round. If a process ends, a new process takes its slot and its proxy. */
final class Cluster implements AutoCloseable {

    /** A process uses fewer numbers. */
    private static final long NUMBERS_OF_A_PROCESS = 100_000_000L;

    private final Round.Setup setup;
    private final RoundStore store;
    private final Path directory;
    private final List<TestProxy> proxies = new ArrayList<>();
    private final List<WorkerProcess> started = new CopyOnWriteArrayList<>();
    private final List<WorkerProcess> present = new CopyOnWriteArrayList<>();

    Cluster(RoundServer server, RoundStore store, Path directory, Round.Setup setup) {
        this.setup = setup;
        this.store = store;
        this.directory = directory;
        for (int slot = 0; slot < setup.workers(); slot++) {
            proxies.add(TestProxy.to(server.host(), server.port()));
        }
    }

    void start() {
        // A process that is paused at this moment would stay paused for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        for (int slot = 0; slot < proxies.size(); slot++) {
            present.add(launch(slot));
        }
        present.forEach(worker -> worker.command("start"));
        present.forEach(this::load);
    }

    /**
     * Starts a new process in the slot, but does not end the previous process.
     */
    void replace(int slot) {
        WorkerProcess next = launch(slot);
        present.set(slot, next);
        next.command("start");
        load(next);
    }

    boolean isShared() {
        int queues = setup.profile().mix().queues();
        int partitions = setup.profile().of("any#1").queues().partitions();
        int share = (partitions + present.size() - 1) / present.size();
        List<Integer> led =
                present.stream().map(worker -> worker.command("led")).toList();
        return led.stream().mapToInt(Integer::intValue).sum() == partitions * queues
                && led.stream().allMatch(count -> count <= share * queues);
    }

    private synchronized WorkerProcess launch(int slot) {
        int process = started.size() + 1;
        String name = "worker-%d.%d".formatted(slot + 1, process);
        TestProxy proxy = proxies.get(slot);
        WorkerProcess worker = WorkerProcess.start(new WorkerOrders(
                name,
                store.url(proxy.host(), proxy.port(), setup.profile()),
                directory.resolve(name + ".ledger"),
                setup.profile(),
                setup.mutant(),
                setup.longestDelay(),
                process * NUMBERS_OF_A_PROCESS,
                setup.seed() + process));
        started.add(worker);
        return worker;
    }

    private void load(WorkerProcess worker) {
        worker.command("load " + setup.jobsPerSecond() / proxies.size());
    }

    WorkerProcess worker(int slot) {
        return present.get(slot);
    }

    TestProxy proxy(int slot) {
        return proxies.get(slot);
    }

    void follow(RoundServer server) {
        proxies.forEach(proxy -> proxy.moveTo(server.host(), server.port()));
    }

    List<WorkerProcess> all() {
        return List.copyOf(started);
    }

    void checkPresent() {
        for (WorkerProcess worker : present) {
            if (!worker.isAlive()) {
                throw new IllegalStateException(
                        "A process ended by itself, with exit code %d: %s".formatted(worker.exitCode(), worker));
            }
        }
    }

    void unload() {
        present.forEach(worker -> worker.command("unload"));
    }

    void stop() {
        started.forEach(WorkerProcess::terminate);
        started.forEach(WorkerProcess::awaitExit);
    }

    private void kill() {
        started.forEach(WorkerProcess::kill);
    }

    @Override
    public void close() {
        kill();
        proxies.forEach(TestProxy::close);
    }
}
