package io.delayjob.autoconfigure;

import io.delayjob.InvalidHandlerReferenceException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what can be given to {@code schedule}, where a call of it fails the start of the application. */
final class InvalidHandlerReferenceFailureAnalyzer extends AbstractFailureAnalyzer<InvalidHandlerReferenceException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidHandlerReferenceException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Write jobs.schedule(UnpaidOrders::cancel), where UnpaidOrders is the class of a bean and cancel its method with"
                        + " @DelayedJob; hand the payload over by .with(…). Schedule when the application has started: handlers"
                        + " are known once all beans are made.",
                cause);
    }
}
