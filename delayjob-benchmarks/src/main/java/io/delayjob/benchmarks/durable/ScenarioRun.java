package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.Comparison.Load;
import io.delayjob.benchmarks.durable.Comparison.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Runs one scenario on one contender. The tables of the contender must exist and be empty. */
final class ScenarioRun {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAR = Duration.ofDays(300);
    private static final int AT_ONCE = 10_000;
    private static final Duration KEEPING_UP = Duration.ofSeconds(1);
    private static final Duration SETTLING = Duration.ofSeconds(10);

    private final BenchmarkDatabase database;
    private final Contender contender;
    private final Load load;

    ScenarioRun(BenchmarkDatabase database, Contender contender, Load load) {
        this.database = database;
        this.contender = contender;
        this.load = load;
    }

    Result run() throws InterruptedException {
        Runs runs = new Runs(load.jobs(), load.handling());
        List<Contender.Instance> instances = new ArrayList<>();
        try {
            for (int number = 1; number <= load.instances(); number++) {
                instances.add(contender.open(database.dataSource(), runs, number));
            }
            scheduleFar(instances.get(0), load.far());
            return switch (load.scenario()) {
                case DRAIN -> drain(instances, runs);
                case ENQUEUE -> enqueue(instances.get(0));
                case BULK -> bulk(instances.get(0));
                case LATENESS -> lateness(instances, runs);
                case STEADY -> steady(instances, runs);
                case IDLE -> idle(instances);
            };
        } finally {
            instances.forEach(Contender.Instance::close);
        }
    }

    private static void scheduleFar(Contender.Instance instance, int count) {
        Instant due = Instant.now().plus(FAR);
        for (int written = 0; written < count; written += AT_ONCE) {
            instance.scheduleBulk(Math.min(AT_ONCE, count - written), due);
        }
    }

    private Result drain(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances
                .get(0)
                .scheduleAll(Collections.nCopies(load.jobs(), Instant.now().minusSeconds(1)));
        database.vacuum();
        Meter before = Meter.read(database);
        instances.forEach(Contender.Instance::start);
        runs.awaitEnds(PATIENCE);
        Meter spent = Meter.read(database).since(before);
        // The table is read only after the measurement, because this read also costs time and CPU.
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (database.answers(contender.unfinished())) {
            if (System.nanoTime() - giveUp >= 0) {
                throw new IllegalStateException("Some jobs have not ended durably within " + PATIENCE);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            spent = Meter.read(database).since(before);
        }
        return Result.rate(load.jobs(), spent, runs.repeated(), runs.early());
    }

    private Result enqueue(Contender.Instance instance) throws InterruptedException {
        Instant due = Instant.now().plus(FAR);
        Meter before = Meter.read(database);
        Threads.runAll(load.submitters(), PATIENCE, submitter -> {
            for (int i = submitter; i < load.jobs() && !Thread.interrupted(); i += load.submitters()) {
                instance.schedule(due);
            }
        });
        return Result.rate(load.jobs(), Meter.read(database).since(before), 0, 0);
    }

    private Result bulk(Contender.Instance instance) {
        Meter before = Meter.read(database);
        scheduleFar(instance, load.jobs());
        return Result.rate(load.jobs(), Meter.read(database).since(before), 0, 0);
    }

    /**
     * The first half of the jobs is not counted. If the due times are a second or more ahead, all jobs are written
     * before the first due time. So no write disturbs the starts.
     */
    private Result lateness(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances.forEach(Contender.Instance::start);
        boolean beforehand = load.ahead().compareTo(Duration.ofSeconds(1)) >= 0;
        Duration writing = beforehand ? contender.timeToWrite(load.jobs()) : Duration.ZERO;
        List<Instant> due = dueTimes(Instant.now().plus(load.ahead()).plus(writing));
        Meter before = Meter.read(database);
        Contender.Instance submitting = instances.get(0);
        LongAdder writtenLate = new LongAdder();
        if (beforehand) {
            submitting.scheduleAll(due);
            Instant written = Instant.now();
            writtenLate.add(due.stream().filter(written::isAfter).count());
        } else {
            Threads.runAll(load.submitters(), patienceOfSubmitters(), submitter -> {
                for (int i = submitter; i < load.jobs() && !Thread.interrupted(); i += load.submitters()) {
                    parkUntil(due.get(i).minus(load.ahead()));
                    submitting.schedule(due.get(i));
                    if (Instant.now().isAfter(due.get(i))) {
                        writtenLate.increment();
                    }
                }
            });
        }
        // A contender that is fast enough has now ended all jobs, except those that only its next poll can find.
        parkUntil(due.get(load.jobs() - 1).plus(contender.poll()).plus(KEEPING_UP));
        long behind = runs.left();
        boolean allEnded = runs.endWithin(PATIENCE);
        Meter spent = Meter.read(database).since(before);
        List<Figure> figures = new ArrayList<>(runs.latenesses().summary().figures());
        figures.add(new Figure("%,.0f written after their time", writtenLate.sum()));
        figures.addAll(spent.perJob(load.jobs()));
        return new Result(figures, allEnded ? runs.repeated() : 0, runs.early(), behind);
    }

    /** The first half of the jobs warms up the contender. */
    private Result steady(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances.forEach(Contender.Instance::start);
        List<Instant> due = dueTimes(Instant.now().plus(load.ahead()));
        int half = load.jobs() / 2;
        CompletableFuture<Meter> before = new CompletableFuture<>();
        Threads.runAll(load.submitters() + 1, patienceOfSubmitters(), thread -> {
            if (thread == load.submitters()) {
                parkUntil(due.get(half).minus(load.ahead()));
                before.complete(Meter.read(database));
                return;
            }
            for (int i = thread; i < load.jobs() && !Thread.interrupted(); i += load.submitters()) {
                parkUntil(due.get(i).minus(load.ahead()));
                instances.get(0).schedule(due.get(i));
            }
        });
        Meter spent = Meter.read(database).since(before.join());
        runs.awaitEnds(PATIENCE);
        List<Figure> figures = new ArrayList<>(runs.latenesses().summary().figures());
        figures.add(new Figure("%,.0f jobs/s", (load.jobs() - half) / spent.seconds()));
        figures.addAll(spent.perJob(load.jobs() - half));
        return new Result(figures, runs.repeated(), runs.early(), 0);
    }

    /** The first due time is a whole millisecond, because delayjob stores no smaller units. */
    private List<Instant> dueTimes(Instant first) {
        Instant start = first.truncatedTo(ChronoUnit.MILLIS);
        return IntStream.range(0, load.jobs())
                .mapToObj(i -> start.plusNanos(i * 1_000_000_000L / load.rate()))
                .toList();
    }

    private Duration patienceOfSubmitters() {
        return PATIENCE.plusSeconds(load.jobs() / load.rate());
    }

    private Result idle(List<Contender.Instance> instances) {
        database.vacuum();
        instances.forEach(Contender.Instance::start);
        parkUntil(Instant.now().plus(SETTLING.compareTo(load.watch()) < 0 ? SETTLING : load.watch()));
        Meter before = Meter.read(database);
        parkUntil(Instant.now().plus(load.watch()));
        Meter spent = Meter.read(database).since(before);
        long onJobs = spent.counts().statementsOn(contender.jobTables());
        return new Result(
                List.of(
                        new Figure("%.2f statements/s", spent.counts().statements() / spent.seconds()),
                        new Figure("%.2f of them on the table of jobs", onJobs / spent.seconds()),
                        new Figure("CPU %.2f %% of a core", spent.ownCpu().toNanos() / 1e9 / spent.seconds() * 100),
                        new Figure(
                                "the server's CPU %.2f %%", spent.serverCpu().toNanos() / 1e9 / spent.seconds() * 100)),
                0,
                0,
                0);
    }

    private static void parkUntil(Instant instant) {
        Duration rest;
        while ((rest = Duration.between(Instant.now(), instant)).compareTo(Duration.ZERO) > 0) {
            LockSupport.parkNanos(rest.toNanos());
        }
    }
}
