package io.delayjob.autoconfigure;

import io.delayjob.spring.InvalidHandlerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why annotated methods cannot be handlers. */
final class InvalidHandlerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidHandlerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidHandlerException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
