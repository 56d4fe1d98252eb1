package io.delayjob.autoconfigure;

import io.delayjob.settings.TooManyQueuesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how to use fewer queues or allow more. */
final class TooManyQueuesFailureAnalyzer extends AbstractFailureAnalyzer<TooManyQueuesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, TooManyQueuesException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Let handlers share queues, and limit single handlers by @DelayedJob(concurrency = …). "
                        + "Or disable queues that other instances serve (delayjob.queues.<name>.enabled=false). Or "
                        + "raise delayjob.max-queues.",
                cause);
    }
}
