package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Evidence.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a cluster of processes on its own store during and after faults. */
final class Round {

    /**
     * @param jobs minimum number of committed jobs; the round goes on until this number is reached
     * @param calm time before the first fault
     * @param patience maximum time in which no attempt ends; after this time, unfinished jobs count as lost
     */
    record Setup(
            long seed,
            Profile profile,
            Mutant mutant,
            int workers,
            double jobsPerSecond,
            int jobs,
            Duration longestDelay,
            Duration calm,
            Duration patience,
            FaultPlan plan) {

        static Setup of(Options options, long seed, Profile profile, Set<FaultKind> kinds) {
            int workers = options.number("workers", 3);
            return new Setup(
                    seed,
                    profile,
                    Mutant.NONE,
                    workers,
                    options.number("rate", 600),
                    options.number("jobs", 25_000),
                    LONGEST_DELAY,
                    options.duration("calm", Duration.ofSeconds(5)),
                    PATIENCE,
                    FaultPlan.random(
                            seed,
                            kinds,
                            options.number("faults", 26),
                            options.duration("pace", Duration.ofMillis(1_800)),
                            workers,
                            profile.liveness()));
        }
    }

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int PATIENCES_IN_ALL = 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final RoundServer server;
    private final Path directory;
    private final Setup setup;
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param directory an empty directory for the ledgers and logs */
    Round(RoundServer server, Path directory, Setup setup) {
        this.server = server;
        this.directory = directory;
        this.setup = setup;
    }

    Evidence run() throws IOException, InterruptedException {
        String name = "%s_%d_%d"
                .formatted(
                        Long.toUnsignedString(setup.seed(), 36),
                        setup.profile().ordinal(),
                        setup.mutant().ordinal());
        try (RoundStore store = server.create(name);
                Cluster cluster = new Cluster(server, store, directory, setup)) {
            cluster.start();
            awaitShares(cluster);
            rest(setup.calm());
            List<Fault> faults = new Injector(cluster, server, setup).run(setup.plan());
            Files.write(
                    directory.resolve("faults.txt"),
                    faults.stream().map(Fault::toString).toList());
            cluster.checkPresent();
            while (store.unfinished() + store.ended() < setup.jobs()) {
                rest(BETWEEN_LOOKS);
                cluster.checkPresent();
            }
            cluster.unload();
            awaitRest(store);
            cluster.stop();
            return evidence(store, cluster, faults);
        }
    }

    /** Waits until the processes share the partitions, because faults should happen while processes have leases. */
    private void awaitShares(Cluster cluster) throws InterruptedException {
        long deadline = System.nanoTime() + WorkerProcess.PATIENCE.toNanos();
        while (!cluster.isShared() && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_LOOKS);
        }
    }

    /**
     * Waits for the remaining jobs, as long as attempts or jobs still end. If the attempts of a job always fail, only
     * the deadline ends the wait.
     */
    private void awaitRest(RoundStore store) throws InterruptedException {
        long ended = store.progress();
        long endedNanos = System.nanoTime();
        long deadline =
                endedNanos + setup.patience().multipliedBy(PATIENCES_IN_ALL).toNanos();
        while (store.unfinished() > 0
                && System.nanoTime() - endedNanos < setup.patience().toNanos()
                && System.nanoTime() - deadline < 0) {
            rest(BETWEEN_LOOKS);
            long endedNow = store.progress();
            if (endedNow > ended) {
                ended = endedNow;
                endedNanos = System.nanoTime();
            }
        }
    }

    private Evidence evidence(RoundStore store, Cluster cluster, List<Fault> faults) {
        Map<String, List<LedgerLine>> ledgers = new HashMap<>();
        for (WorkerProcess worker : cluster.all()) {
            ledgers.put(worker.name(), Ledger.read(worker.ledger()));
        }
        List<Row> rows = store.rows();
        return new Evidence(
                setup.profile(), ledgers, faults, rows, store.accepted(rows), store.committed(), store.effects());
    }

    private void rest(Duration length) throws InterruptedException {
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
    }
}
