package io.delayjob.autoconfigure;

import io.delayjob.TooManyQueuesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to come by with fewer queues, or to have more. */
final class TooManyQueuesFailureAnalyzer extends AbstractFailureAnalyzer<TooManyQueuesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, TooManyQueuesException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Let handlers share queues, and bound single ones by @DelayedJob(concurrency = …); switch off queues that other"
                        + " instances work (delayjob.queues.<name>.enabled=false); or raise delayjob.max-queues.",
                cause);
    }
}
