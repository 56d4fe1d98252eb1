package io.delayjob.jdbc.outage;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.handler.Handler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.jdbc.JdbcJobStoreBuilder;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestProxy;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One instance of an application, on a database of its own behind a network that a test can break. Its pool is Spring
 * Boot's: HikariCP with its defaults, which let a caller wait for a connection for 30 s.
 */
final class Scene implements AutoCloseable {

    private final HikariDataSource direct;
    private final Runs runs = new Runs();
    final TestProxy proxy;
    final HikariDataSource pool;
    final JdbcTemplate database;
    final TestEngine engine;

    private Scene(Builder builder) {
        direct = builder.direct;
        TestSchema.apply(direct);
        database = new JdbcTemplate(direct);
        proxy = TestProxy.before(direct.getJdbcUrl());
        pool = new HikariDataSource();
        pool.setJdbcUrl(proxy.through(direct.getJdbcUrl()) + builder.urlSuffix);
        pool.setMaximumPoolSize(builder.connections);
        pool.setValidationTimeout(builder.validation.toMillis());
        engine = new TestEngine(
                pool,
                builder.settings
                        .apply(EngineSettings.defaults("outage#1").toBuilder())
                        .build(),
                builder.store,
                builder.clock,
                runs,
                Handler.named("note")
                        .parameters(new PayloadParameter("number", long.class))
                        .calls((arguments, job) -> {
                            long number = (Long) arguments.get(0);
                            runs.called(number);
                            builder.body.accept(number);
                            return null;
                        }));
        engine.start();
    }

    /** On a server that it shares with others. */
    static Builder scene() {
        return new Builder(TestPostgres.newDatabase(4));
    }

    /** On the server that {@code direct} leads to, which is closed with it. */
    static Builder scene(HikariDataSource direct) {
        return new Builder(direct);
    }

    /** What is special about a scene. */
    static final class Builder {
        private final HikariDataSource direct;
        private int connections = 10;
        private Duration validation = Duration.ofSeconds(5);
        private String urlSuffix = "";
        private UnaryOperator<EngineSettings.Builder> settings = UnaryOperator.identity();
        private UnaryOperator<JdbcJobStoreBuilder> store = UnaryOperator.identity();
        private Function<JobStore, EngineClock> clock = jobs -> new StoreClock(jobs::clockMicros);
        private LongConsumer body = number -> {};

        private Builder(HikariDataSource direct) {
            this.direct = direct;
        }

        Builder connections(int connections) {
            this.connections = connections;
            return this;
        }

        Builder settings(UnaryOperator<EngineSettings.Builder> settings) {
            this.settings = settings;
            return this;
        }

        /**
         * Gives up what keeps silent after a second or two, in place of ten and more, a connection that begins
         * included.
         */
        Builder impatient() {
            return patience(Duration.ofSeconds(1));
        }

        /** How long the instance waits for an answer. */
        Builder patience(Duration patience) {
            urlSuffix = "&loginTimeout=2";
            validation = Duration.ofSeconds(1);
            store = builder -> builder.statementTimeout(patience).heartbeatTimeout(patience);
            return this;
        }

        Builder clock(Function<JobStore, EngineClock> clock) {
            this.clock = clock;
            return this;
        }

        /** What the handler does. */
        Builder body(LongConsumer body) {
            this.body = body;
            return this;
        }

        Scene start() {
            return new Scene(this);
        }
    }

    Runs runs() {
        return runs;
    }

    /** Schedules jobs numbered from 0, the first due now, the others one after the other. */
    void schedule(int count, Duration apart) {
        new TransactionTemplate(engine.transactionManager()).executeWithoutResult(status -> {
            for (int number = 0; number < count; number++) {
                engine.jobs().schedule("note").with(List.of((long) number)).after(apart.multipliedBy(number));
            }
        });
    }

    /** Waits until a role is in trouble that says so. */
    EngineStatus.Trouble awaitTrouble(Predicate<EngineStatus.Trouble> expected) throws InterruptedException {
        return awaitStatus(status -> status.troubles().stream().anyMatch(expected)).troubles().stream()
                .filter(expected)
                .findFirst()
                .orElseThrow();
    }

    /** Waits until the troubles of all roles together are as expected. */
    void awaitTroubles(Predicate<List<EngineStatus.Trouble>> expected) throws InterruptedException {
        awaitStatus(status -> expected.test(status.troubles()));
    }

    /** Waits until each job that was claimed has started, and its attempt has ended. */
    void awaitFreeSlots() throws InterruptedException {
        awaitStatus(status -> status.workers().values().stream().allMatch(use -> use.active() + use.claimed() == 0));
    }

    /**
     * Waits until the pool has all its connections: one that is being made while the network breaks is another story.
     */
    void awaitPool() throws InterruptedException {
        awaitStatus(status -> pool.getHikariPoolMXBean().getTotalConnections() == pool.getMaximumPoolSize());
    }

    /** Waits until all roles work and all partitions are led. */
    void awaitHealth() throws InterruptedException {
        awaitStatus(status -> status.troubles().isEmpty() && !status.led().isEmpty());
    }

    /** The engine's status is asked for, not told: so it is asked again and again. */
    private EngineStatus awaitStatus(Predicate<EngineStatus> expected) throws InterruptedException {
        long deadline = System.nanoTime() + Runs.PATIENCE.toNanos();
        EngineStatus status = engine.status();
        while (!expected.test(status)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited %s in vain; the status is %s".formatted(Runs.PATIENCE, status));
            }
            synchronized (this) {
                wait(5);
            }
            status = engine.status();
        }
        return status;
    }

    @Override
    public void close() {
        proxy.resume();
        proxy.accept();
        engine.close();
        pool.close();
        proxy.close();
        direct.close();
    }
}
