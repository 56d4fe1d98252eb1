package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Where the application's transactions are JPA's, jobs are written in them, and atomic handlers are called in one. */
class JpaTransactionTest {

    /** What the application keeps. */
    @Entity(name = "Invoice")
    static class Invoice {

        @Id
        private long number;

        protected Invoice() {}

        Invoice(long number) {
            this.number = number;
        }
    }

    private static HikariDataSource pool;
    private static EntityManagerFactory factory;
    private static JpaTransactionManager manager;
    private static EntityManager entities;
    private static JdbcTemplate jdbc;

    private JdbcJobStore store;
    private HandlerTransactions transactions;
    private JobMaker jobs;

    @BeforeAll
    static void makeDatabase() {
        pool = TestH2.newStore();
        LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
        bean.setDataSource(pool);
        bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        bean.setManagedTypes(PersistenceManagedTypes.of(Invoice.class.getName()));
        bean.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
        bean.afterPropertiesSet();
        factory = bean.getObject();
        manager = new JpaTransactionManager(factory);
        entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        jdbc = new JdbcTemplate(pool);
    }

    @AfterAll
    static void closeDatabase() {
        factory.close();
        pool.close();
    }

    @BeforeEach
    void makeStore() {
        TestSchema.clear(pool);
        jdbc.update("DELETE FROM Invoice");
        store = JdbcJobStore.builder(pool, manager).build();
        transactions = store.handlerTransactions();
        jobs = new JobMaker(store);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private static List<Long> invoices() {
        return jdbc.queryForList("SELECT number FROM Invoice ORDER BY number", Long.class);
    }

    private Job running() {
        NewJob job = jobs.job();
        jobs.submit(job);
        jobs.handedOver.clear();
        return jobs.claim(List.of(job.toDueRow())).get(0);
    }

    private JobState state(Job job) {
        return store.find(job.id()).orElseThrow().state();
    }

    // ---- scheduling

    @Test
    void job_isWrittenTogetherWithEntities() {
        NewJob committed = jobs.job();
        NewJob rolledBack = jobs.job();
        TransactionTemplate transaction = new TransactionTemplate(manager);

        transaction.executeWithoutResult(status -> {
            entities.persist(new Invoice(1));
            jobs.submit(committed);
            assertThat(jobs.handedOver).isEmpty();
        });
        transaction.executeWithoutResult(status -> {
            entities.persist(new Invoice(2));
            jobs.submit(rolledBack);
            status.setRollbackOnly();
        });

        assertThat(invoices()).containsExactly(1L);
        assertThat(store.find(committed.id())).isPresent();
        assertThat(store.find(rolledBack.id())).isEmpty();
        assertThat(jobs.handedOver).containsExactly(committed.toDueRow());
    }

    @Test
    void job_isNotWrittenWhenEntitiesCannotBe() {
        NewJob job = jobs.job();
        jdbc.update("INSERT INTO Invoice (number) VALUES (1)");

        assertThatThrownBy(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
                    entities.persist(new Invoice(1));
                    jobs.submit(job);
                }))
                .isInstanceOf(DataIntegrityViolationException.class);

        assertThat(store.find(job.id())).isEmpty();
        assertThat(jobs.handedOver).isEmpty();
    }

    @Test
    void job_isWrittenInAScopeThatRequiresANewTransaction() {
        NewJob job = jobs.job();
        TransactionTemplate requiresNew = new TransactionTemplate(manager);
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        new TransactionTemplate(manager).executeWithoutResult(outer -> {
            requiresNew.executeWithoutResult(inner -> {
                entities.persist(new Invoice(1));
                jobs.submit(job);
            });
            outer.setRollbackOnly();
        });

        assertThat(invoices()).containsExactly(1L);
        assertThat(store.find(job.id())).isPresent();
    }

    /** Spring's manager for JDBC does not recognise transactions of JPA. */
    @Test
    void jobOfAStoreWithAnotherManager_doesNotCommitTheCallersTransaction() {
        NewJob job = jobs.job();

        try (JdbcJobStore other =
                JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build()) {
            new TransactionTemplate(manager).executeWithoutResult(status -> {
                entities.persist(new Invoice(1));
                entities.flush();
                other.submit(List.of(job), jobs.sink);
                status.setRollbackOnly();
            });
        }

        assertThat(invoices()).isEmpty();
        assertThat(store.find(job.id())).isPresent();
    }

    // ---- atomic handlers

    @Test
    void atomicHandler_writesEntitiesTogetherWithItsEnd() throws Exception {
        Job job = running();

        CompletionResult result = transactions.complete(
                () -> {
                    entities.persist(new Invoice(1));
                    entities.flush();
                    assertThat(invoices()).as("seen by JdbcTemplate").containsExactly(1L);
                    entities.persist(new Invoice(2));
                    jdbc.update("INSERT INTO Invoice (number) VALUES (3)");
                    return () -> jobs.nextRun(job);
                },
                Duration.ofSeconds(30));

        assertThat(result).isEqualTo(CompletionResult.ACCEPTED);
        assertThat(invoices()).containsExactly(1L, 2L, 3L);
        assertThat(state(job)).isEqualTo(JobState.DELAYED);
    }

    @Test
    void atomicHandlerThatIsFenced_writesNone() throws Exception {
        Job job = running();

        CompletionResult result = transactions.complete(
                () -> {
                    entities.persist(new Invoice(1));
                    store.complete(List.of(jobs.retrying(job)));
                    return () -> jobs.finishing(job);
                },
                null);

        assertThat(result).isEqualTo(CompletionResult.FENCED);
        assertThat(invoices()).isEmpty();
        assertThat(state(job)).isEqualTo(JobState.DELAYED);
    }

    /**
     * By the commit they would be as well; but what goes wrong then is not the handler's, and meanwhile the row is
     * locked.
     */
    @Test
    void entities_areWrittenBeforeTheEndIsDecided() throws Exception {
        Job job = running();

        transactions.complete(
                () -> {
                    entities.persist(new Invoice(1));
                    return () -> {
                        assertThat(invoices()).containsExactly(1L);
                        return jobs.finishing(job);
                    };
                },
                null);

        assertThat(state(job)).isEqualTo(JobState.FINISHED);
    }

    @Test
    void atomicHandlerWhoseEntitiesCannotBeWritten_hasNotEnded() {
        Job job = running();
        jdbc.update("INSERT INTO Invoice (number) VALUES (1)");

        assertThatThrownBy(() -> transactions.complete(
                        () -> {
                            entities.persist(new Invoice(2));
                            entities.persist(new Invoice(1));
                            return () -> {
                                throw new AssertionError("decided");
                            };
                        },
                        null))
                .isInstanceOf(DataIntegrityViolationException.class);

        assertThat(invoices()).containsExactly(1L);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
    }

    /** Its transactions could roll back entities only: whatever is written of a job would be committed by itself. */
    @Test
    void managerThatDoesNotKnowTheDataSource_isRefused() {
        JpaTransactionManager apart = new JpaTransactionManager() {
            @Override
            public void afterPropertiesSet() {
                // So it does not ask the factory for the DataSource.
            }
        };
        apart.setEntityManagerFactory(factory);

        assertThatThrownBy(() -> JdbcJobStore.builder(pool, apart).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not manage the job tables' DataSource")
                .hasMessageContaining("@DelayJobTransactionManager");
    }
}
