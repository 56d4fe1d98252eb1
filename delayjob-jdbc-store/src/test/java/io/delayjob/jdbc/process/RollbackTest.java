package io.delayjob.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Jobs share the fate of the transaction that scheduled them. Each transaction writes a line into {@code promise}
 * beside each job, so that the database itself says which jobs must run; the handler writes {@code ledger}. Both must
 * come out equal.
 */
class RollbackTest {

    private static final int CLIENTS = 6;

    /** Counts attempts whose end is durable. */
    private static final class Ends implements JobListener {
        private int count;

        @Override
        public synchronized void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            count++;
            notifyAll();
        }

        /** Returns when so many have ended, or when that takes too long. */
        void await(int expected) {
            await(expected, Duration.ofSeconds(60));
        }

        /** Returns when so many more have ended, or when that takes long. */
        void awaitMore(int more) {
            int seen;
            synchronized (this) {
                seen = count;
            }
            await(seen + more, Duration.ofMillis(250));
        }

        private synchronized void await(int expected, Duration atMost) {
            long deadline = System.nanoTime() + atMost.toNanos();
            try {
                while (count < expected && deadline - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final long seed = Long.getLong("delayjob.test.seed", new SecureRandom().nextLong());
    private final AtomicLong numbers = new AtomicLong();
    private final Ends ends = new Ends();
    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TestEngine engine;

    @BeforeEach
    void prepare() {
        pool = TestPostgres.newDatabase(CLIENTS + 30);
        TestSchema.apply(pool);
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE promise (number BIGINT NOT NULL)");
        jdbc.execute("CREATE TABLE ledger (number BIGINT NOT NULL)");
    }

    @AfterEach
    void close() {
        engine.close();
        pool.close();
    }

    @Test
    void whatIsCommittedRunsOnce_whatIsRolledBackNever() throws Exception {
        start(EngineSettings.defaults("rollback#1"));

        transactions(10_000, 500);

        everyPromiseIsKeptOnce();
    }

    /** All reads at an hour: nothing but the hand-over after the commit can fire these. */
    @Test
    void whatIsCommittedIsHandedToTheWheel_afterItsCommitAndWithoutWhatWasRolledBack() throws Exception {
        Duration never = Duration.ofHours(1);
        start(EngineSettings.defaults("hand-over#1").toBuilder()
                .sweepInterval(never)
                .adoptAfter(never)
                .window(never)
                .build());

        transactions(1_000, 20);

        everyPromiseIsKeptOnce();
    }

    private void start(EngineSettings settings) {
        engine = new TestEngine(
                pool,
                settings,
                ends,
                Handler.named("write-ledger")
                        .parameters(new PayloadParameter("number", long.class))
                        .calls((arguments, job) -> {
                            jdbc.update("INSERT INTO ledger (number) VALUES (?)", arguments.get(0));
                            return null;
                        }));
        engine.start();
    }

    private void transactions(int count, int oneIsSlowIn) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                SplittableRandom random = new SplittableRandom(seed + client);
                int share = (count + client) / CLIENTS;
                all.add(clients.submit(() -> {
                    for (int i = 0; i < share; i++) {
                        transaction(random, oneIsSlowIn);
                    }
                }));
            }
            for (Future<?> client : all) {
                client.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private void transaction(SplittableRandom random, int oneIsSlowIn) {
        new TransactionTemplate(engine.transactionManager()).executeWithoutResult(status -> {
            schedule(random, 1 + random.nextInt(2));
            if (random.nextInt(3) == 0) {
                nested(random, status);
                schedule(random, random.nextInt(2));
            }
            if (random.nextInt(oneIsSlowIn) == 0) {
                // Stays open while its own jobs come due, for longer than a claim that found nothing is tried again.
                ends.awaitMore(500);
            }
            if (random.nextBoolean()) {
                status.setRollbackOnly();
            }
        });
    }

    private void nested(SplittableRandom random, TransactionStatus status) {
        Object savepoint = status.createSavepoint();
        schedule(random, 1 + random.nextInt(2));
        if (random.nextBoolean()) {
            status.rollbackToSavepoint(savepoint);
        }
        status.releaseSavepoint(savepoint);
    }

    private void schedule(SplittableRandom random, int jobs) {
        for (int i = 0; i < jobs; i++) {
            long number = numbers.incrementAndGet();
            jdbc.update("INSERT INTO promise (number) VALUES (?)", number);
            engine.jobs()
                    .schedule("write-ledger")
                    .with(List.of(number))
                    .after(Duration.ofMillis(random.nextInt(4) == 0 ? 0 : random.nextInt(1_000)));
        }
    }

    private void everyPromiseIsKeptOnce() {
        List<Long> promises = jdbc.queryForList("SELECT number FROM promise", Long.class);
        ends.await(promises.size());
        engine.stop();
        List<Long> kept = jdbc.queryForList("SELECT number FROM ledger", Long.class);
        String story = "of %d jobs, with -Ddelayjob.test.seed=%d".formatted(numbers.get(), seed);
        assertThat(kept).as("jobs that ran, %s", story).doesNotHaveDuplicates();
        assertThat(minus(kept, promises))
                .as("jobs that ran and were rolled back, %s", story)
                .isEmpty();
        assertThat(minus(promises, kept))
                .as("jobs that were committed and never ran, %s", story)
                .isEmpty();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM delayjob_job", Long.class))
                .as("jobs left")
                .isZero();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM delayjob_history WHERE state = 2", Long.class))
                .as("jobs finished")
                .isEqualTo(promises.size());
    }

    private static Set<Long> minus(Collection<Long> all, Collection<Long> some) {
        Set<Long> rest = new TreeSet<>(all);
        rest.removeAll(new HashSet<>(some));
        return rest;
    }
}
