package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.JobId;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** What is observed of attempts whose handler is called in a transaction. */
class ObservedHandlersTest {

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final JobContext job = mock(JobContext.class);
    private final Commits commits = new Commits();

    @BeforeEach
    void aJob() {
        when(job.id()).thenReturn(new JobId(new UUID(1, 2)));
    }

    private void attempt() {
        Handler observed = new ObservedHandlers(() -> registry)
                .customize(Handler.named("pay").atomic(true).calls((arguments, context) -> Next.stop()));
        new TransactionTemplate(commits).execute(transaction -> {
            try {
                Object answer = observed.body().handle(List.of(), job);
                TestObservationRegistryAssert.assertThat(registry)
                        .hasSingleObservationThat()
                        .isNotStopped();
                return answer;
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        });
    }

    private void assertOutcome(String outcome) {
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasLowCardinalityKeyValue("outcome", outcome)
                .hasBeenStopped();
    }

    @Test
    void atomicHandler_isObservedUntilItsCommit() {
        attempt();

        assertOutcome("STOPPED");
    }

    @Test
    void atomicHandlerWhoseCommitIsRefused_hasFailed() {
        commits.refusal = new DataIntegrityViolationException("deferred constraint");

        assertThatThrownBy(this::attempt).isSameAs(commits.refusal);

        assertOutcome("FAILED");
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasError();
    }

    @Test
    void atomicHandlerWhoseCommitIsNotAnswered_mayHaveEndedEitherWay() {
        commits.refusal = new TransactionSystemException("no answer");

        assertThatThrownBy(this::attempt).isSameAs(commits.refusal);

        assertOutcome("UNKNOWN");
    }

    /** The job names the cause, too. */
    @Test
    void asynchronousHandlerThatFails_hasTheErrorOfItsWork() throws Exception {
        IllegalStateException refused = new IllegalStateException("card refused");
        Handler observed = new ObservedHandlers(() -> registry)
                .customize(Handler.named("pay")
                        .calls((arguments, context) -> CompletableFuture.runAsync(() -> {
                            throw refused;
                        })));

        assertThatThrownBy(((CompletableFuture<?>) observed.body().handle(List.of(), job))::join)
                .hasCause(refused);

        assertOutcome("FAILED");
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasError(refused);
    }

    private static final class Commits extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1;

        private @Nullable RuntimeException refusal;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            if (refusal != null) {
                throw refusal;
            }
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
