package io.delayjob.jdbc.process;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.EngineSettings;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.jdbc.process.LedgerLine.Event;
import io.delayjob.job.JobId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Two JVMs on one PostgreSQL, with default settings; the test's own JVM only schedules. */
class TwoProcessesTest {

    private static final EngineSettings DEFAULTS = EngineSettings.defaults("scheduler#1");

    /** A machine that builds is not calm; what holds of calm ones is printed beside it. */
    private static final Duration SLACK = ofSeconds(6);

    @TempDir
    private Path directory;

    private HikariDataSource pool;
    private TestEngine scheduler;
    private Workers workers;

    @BeforeEach
    void prepare() {
        pool = TestPostgres.newDatabase();
        TestSchema.apply(pool);
        scheduler = new TestEngine(
                pool,
                DEFAULTS.toBuilder().worker(false).build(),
                new JobListener() {},
                Handler.named("note").calls((arguments, job) -> null),
                Handler.named("hold").calls((arguments, job) -> null));
        scheduler.start();
        workers = new Workers(pool.getJdbcUrl(), directory);
    }

    @AfterEach
    void close() {
        workers.close();
        scheduler.close();
        pool.close();
    }

    @Test
    void partitionsAreShared_everyJobRunsOnce_andAStopHandsOverInGoodOrder() throws Exception {
        Worker first = workers.start("first");
        Worker second = workers.start("second");
        workers.await("both are up", () -> first.isReady() && second.isReady());
        // The first has these in its wheel when half of the partitions become the second's, which reads them again.
        Set<JobId> jobs = schedule("note", 500, i -> ofMillis(1_000 + 16 * i));
        first.begin();
        workers.await("the first leads all", () -> first.led() == 8);
        second.begin();
        workers.await("partitions are shared", () -> first.led() == 4 && second.led() == 4);
        workers.await("most have run", () -> heard(Event.DONE).size() >= 400);
        Set<JobId> holds = schedule("hold", 12, i -> Duration.ZERO);
        workers.await("handlers hold still", () -> heard(Event.START).containsAll(holds));

        second.terminate();
        workers.await("the first leads all again", () -> first.led() == 8);
        second.release();
        first.release();
        second.awaitExit();
        jobs.addAll(holds);
        awaitAll(jobs);

        assertThat(callsByJob()).as("jobs that were run").containsOnlyKeys(jobs);
        assertThat(repeated()).as("jobs that were run more than once").isEmpty();
        assertThat(second.heard(Event.DONE)).as("jobs that the second ran").isNotEmpty();
        assertThat(second.log()).as("the second's log").doesNotContain("WARN", "ERROR");
        assertThat(jdbc().queryForObject("SELECT count(*) FROM delayjob_history WHERE failures > 0", Long.class))
                .as("jobs that were given up for lost")
                .isZero();
    }

    @Test
    void whatAKilledProcessLeft_isResumed() throws Exception {
        Worker victim = workers.start("victim");
        Worker survivor = workers.start("survivor");
        victim.begin();
        survivor.begin();
        workers.await("partitions are shared", () -> victim.led() == 4 && survivor.led() == 4);
        Set<JobId> holds = schedule("hold", 12, i -> Duration.ZERO);
        workers.await("handlers hold still", () -> heard(Event.START).containsAll(holds));
        Set<JobId> notes = schedule("note", 400, i -> ofMillis(1_500 + 15 * i));
        Map<JobId, Instant> due = notes.stream().collect(toMap(Function.identity(), this::dueAt));

        victim.kill();
        Instant killed = Instant.now();
        survivor.release();
        Set<JobId> jobs = new HashSet<>(holds);
        jobs.addAll(notes);
        awaitAll(jobs);

        Set<JobId> lost = new HashSet<>(jobsOf(victim, Event.START));
        lost.removeAll(jobsOf(victim, Event.END));
        assertThat(lost).as("jobs that ran in the killed process").isNotEmpty();
        Duration running = longestWait(survivor, lost, id -> killed);
        Duration delayed = longestWait(survivor, notes, id -> later(due.get(id), killed));
        Duration runningBound = DEFAULTS.liveness().plusSeconds(1);
        Duration delayedBound = DEFAULTS.leaseDuration().plus(DEFAULTS.sweepInterval());
        System.out.printf(
                "kill -9: %d running jobs resumed within %s (calm: %s), delayed ones %s after their time (calm: %s)%n",
                lost.size(), running, runningBound, delayed, delayedBound);
        assertThat(jobsOf(survivor, Event.END)).as("jobs resumed").containsAll(lost);
        assertThat(running).as("wait of what was running").isPositive().isLessThan(runningBound.plus(SLACK));
        assertThat(delayed).as("wait of what was delayed").isLessThan(delayedBound.plus(SLACK));
        Set<JobId> interrupted = new HashSet<>(jobsOf(victim, Event.START));
        assertThat(interrupted)
                .as("jobs that were run more than once")
                .containsAll(repeated().keySet());
    }

    private Set<JobId> schedule(String name, int count, IntFunction<Duration> delay) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        scheduler.jobs().schedule(name).after(delay.apply(i)).id())
                .collect(toSet());
    }

    private Instant dueAt(JobId id) {
        return scheduler.jobs().find(id).orElseThrow().dueAt();
    }

    private Set<JobId> heard(Event event) {
        return workers.all().stream()
                .flatMap(worker -> worker.heard(event).stream())
                .collect(toSet());
    }

    private void awaitAll(Set<JobId> jobs) {
        workers.await(
                "all jobs have ended",
                () -> heard(Event.END).containsAll(jobs)
                        && jdbc().queryForObject("SELECT count(*) FROM delayjob_job", Long.class) == 0);
    }

    private Map<JobId, List<LedgerLine>> callsByJob() {
        return workers.all().stream()
                .flatMap(worker -> worker.ledger().stream())
                .filter(line -> line.event() == Event.START)
                .collect(groupingBy(LedgerLine::job));
    }

    private Map<JobId, List<LedgerLine>> repeated() {
        Map<JobId, List<LedgerLine>> calls = callsByJob();
        calls.values().removeIf(lines -> lines.size() == 1);
        return calls;
    }

    private static List<JobId> jobsOf(Worker worker, Event event) {
        return worker.ledger().stream()
                .filter(line -> line.event() == event)
                .map(LedgerLine::job)
                .toList();
    }

    private static Duration longestWait(Worker worker, Collection<JobId> jobs, Function<JobId, Instant> since) {
        return worker.ledger().stream()
                .filter(line -> line.event() == Event.START && jobs.contains(line.job()))
                .map(line -> Duration.between(since.apply(line.job()), line.at()))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private JdbcTemplate jdbc() {
        return new JdbcTemplate(pool);
    }
}
