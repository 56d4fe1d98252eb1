package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a fault of the job tables' database instead of naming a bean that could not be created. */
final class JobDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<JobDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JobDatabaseException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
