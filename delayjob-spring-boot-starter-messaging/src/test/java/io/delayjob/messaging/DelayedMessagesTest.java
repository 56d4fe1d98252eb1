package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class DelayedMessagesTest {

    private static final Message<?> BUSY =
            MessageBuilder.withPayload(Map.of("rows", 5)).build();

    @Test
    void redelivery_isPartOfTheListenersTransaction() throws Exception {
        try (EmbeddedPostgres database =
                EmbeddedPostgres.builder().setServerConfig("fsync", "off").start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            DataSourceAutoConfiguration.class,
                            DataSourceTransactionManagerAutoConfiguration.class,
                            JdbcTemplateAutoConfiguration.class,
                            DelayJobJdbcAutoConfiguration.class,
                            DelayJobAutoConfiguration.class,
                            DelayJobThreadsAutoConfiguration.class,
                            DelayJobMessagingAutoConfiguration.class))
                    .withPropertyValues(
                            "delayjob.jdbc.initialize-schema=always",
                            "spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"))
                    .run(context -> {
                        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                        DelayedMessages delayed = context.getBean(DelayedMessages.class);
                        TransactionTemplate transactions =
                                new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                        AtomicReference<JobId> rolledBack = new AtomicReference<>();
                        transactions.executeWithoutResult(transaction -> {
                            rolledBack.set(redeliver(delayed));
                            transaction.setRollbackOnly();
                        });
                        assertThat(jobs.find(rolledBack.get())).isEmpty();

                        JobId committed = transactions.execute(transaction -> redeliver(delayed));
                        assertThat(jobs.find(committed))
                                .get()
                                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.DELAYED));
                        assertThatThrownBy(() -> delayed.redeliver("exports", BUSY, Duration.ofSeconds(-1)))
                                .isInstanceOf(IllegalArgumentException.class);
                    });
        }
    }

    /** A header of RabbitMQ or Kafka may have a name that JMS forbids. */
    @Test
    void redelivery_toJms_leavesOutHeadersThatJmsForbids() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobMessagingAutoConfiguration.class))
                .withBean(JmsTemplate.class, () -> new JmsTemplate(mock(ConnectionFactory.class)))
                .withPropertyValues("delayjob.store=memory", "delayjob.targets.exports.jms.destination=exports")
                .run(context -> {
                    Message<?> message = MessageBuilder.withPayload(Map.of("rows", 5))
                            .setHeader("x-tenant", "south")
                            .setHeader("tenant", "north")
                            .build();

                    JobId id = context.getBean(DelayedMessages.class)
                            .redeliver("exports", message, Duration.ofMinutes(5))
                            .id();

                    assertThat(context.getBean(DelayJobOperations.class).find(id))
                            .get()
                            .satisfies(job ->
                                    assertThat(job.payload()).contains("north").doesNotContain("x-tenant"));
                });
    }

    private static JobId redeliver(DelayedMessages delayed) {
        return delayed.redeliver("exports", BUSY, Duration.ofMinutes(5)).id();
    }
}
