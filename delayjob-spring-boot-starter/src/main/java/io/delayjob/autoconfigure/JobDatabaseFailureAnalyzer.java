package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the database of the job tables, instead of which bean could not be made for it. */
final class JobDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<JobDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JobDatabaseException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
