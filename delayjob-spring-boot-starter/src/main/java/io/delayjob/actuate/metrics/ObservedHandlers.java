package io.delayjob.actuate.metrics;

import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.Next;
import io.delayjob.job.JobOutcome;
import io.delayjob.spring.HandlerCustomizer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Observes each attempt as {@code delayjob.execution}. The observation of an atomic handler lasts until the transaction
 * has ended, because a refused commit is a failure.
 */
final class ObservedHandlers implements HandlerCustomizer {

    private final Supplier<ObservationRegistry> registry;

    /** @param registry is called only at attempts, so that the registration of handlers does not create the bean */
    ObservedHandlers(Supplier<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public Handler customize(Handler handler) {
        return handler.withBody(
                new Observed(handler.name(), handler.queue(), handler.atomic(), handler.body(), registry));
    }

    private record Observed(
            String name, String queue, boolean atomic, JobHandler body, Supplier<ObservationRegistry> registry)
            implements JobHandler {

        @Override
        public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
            Observation observation = Observation.createNotStarted(
                            "delayjob.execution", () -> new JobObservationContext(job), registry.get())
                    .contextualName("delayjob " + name)
                    .lowCardinalityKeyValue(JobMeters.HANDLER, name)
                    .lowCardinalityKeyValue("queue", queue)
                    .highCardinalityKeyValue("job.id", job.id().toString())
                    .highCardinalityKeyValue("job.run", String.valueOf(job.run()));
            if (!job.labels().isEmpty()) {
                observation.highCardinalityKeyValue("job.labels", String.join(", ", job.labels()));
            }
            observation.start();
            boolean ends = true;
            try (Observation.Scope scope = observation.openScope()) {
                Object answer = body.handle(arguments, job);
                if (answer instanceof CompletionStage<?> stage) {
                    ends = false;
                    return stage.whenComplete((result, failure) -> end(observation, result, failure));
                }
                if (atomic && TransactionSynchronizationManager.isSynchronizationActive()) {
                    TransactionSynchronizationManager.registerSynchronization(new AtomicEnd(observation, answer));
                    ends = false;
                    return answer;
                }
                outcome(observation, answer);
                return answer;
            } catch (Throwable failure) {
                failed(observation, failure);
                throw failure;
            } finally {
                if (ends) {
                    observation.stop();
                }
            }
        }

        private static void end(Observation observation, @Nullable Object result, @Nullable Throwable failure) {
            if (failure == null) {
                outcome(observation, result);
            } else {
                failed(observation, failure);
            }
            observation.stop();
        }
    }

    private record AtomicEnd(
            Observation observation, @Nullable Object answer) implements TransactionSynchronization {

        @Override
        public void afterCompletion(int status) {
            switch (status) {
                case STATUS_COMMITTED -> outcome(observation, answer);
                case STATUS_ROLLED_BACK ->
                    failed(
                            observation,
                            new UnexpectedRollbackException(
                                    "The transaction of an atomic handler was rolled back after the handler had "
                                            + "returned."));
                default -> observation.lowCardinalityKeyValue("outcome", "UNKNOWN");
            }
            observation.stop();
        }
    }

    private static void outcome(Observation observation, @Nullable Object answer) {
        JobOutcome outcome = answer instanceof Next next ? next.outcome() : new JobOutcome.Succeeded();
        observation.lowCardinalityKeyValue("outcome", outcome.label());
    }

    /** A job has the cause as its error, too. */
    private static void failed(Observation observation, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        observation.lowCardinalityKeyValue("outcome", "FAILED");
        observation.error(cause == null ? failure : cause);
    }
}
