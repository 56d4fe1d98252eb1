package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a fault of the database with the job tables. Without this analyzer, the error would name a bean that could
 * not be created.
 */
final class JobDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<JobDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JobDatabaseException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
