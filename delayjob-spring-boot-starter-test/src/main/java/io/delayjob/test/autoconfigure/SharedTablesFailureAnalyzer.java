package io.delayjob.test.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which tables a test in virtual time may use. */
final class SharedTablesFailureAnalyzer extends AbstractFailureAnalyzer<SharedTablesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SharedTablesException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
