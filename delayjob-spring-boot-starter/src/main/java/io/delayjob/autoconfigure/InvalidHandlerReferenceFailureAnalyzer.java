package io.delayjob.autoconfigure;

import io.delayjob.InvalidHandlerReferenceException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which method references {@code schedule} accepts. */
final class InvalidHandlerReferenceFailureAnalyzer extends AbstractFailureAnalyzer<InvalidHandlerReferenceException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidHandlerReferenceException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Write jobs.schedule(UnpaidOrders::cancel), where UnpaidOrders is the class of a bean "
                        + "and cancel is a method with @DelayedJob. Pass the payload by .with(…). Schedule only "
                        + "after the application has started, because handlers are known once all beans are "
                        + "created.",
                cause);
    }
}
