package io.delayjob.autoconfigure;

import io.delayjob.target.InvalidTargetException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains targets that are configured wrongly. */
final class InvalidTargetFailureAnalyzer extends AbstractFailureAnalyzer<InvalidTargetException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidTargetException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
