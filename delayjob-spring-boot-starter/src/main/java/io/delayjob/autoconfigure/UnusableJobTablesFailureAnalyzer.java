package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains how to create or find the job tables. */
final class UnusableJobTablesFailureAnalyzer extends AbstractFailureAnalyzer<UnusableJobTablesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableJobTablesException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), """
                Create the tables, or configure where they are:
                    - set delayjob.jdbc.initialize-schema=always to create them at start, or
                    - add io/delayjob/jdbc/schema-%s.sql of delayjob-jdbc-store.jar to your migrations, or
                    - add the missing columns as in that script, or
                    - correct delayjob.jdbc.table-prefix, spring.datasource.url or the user's search path, or
                    - set delayjob.store=memory if jobs may be lost when the application ends.
                """.formatted(cause.platform()) + cause.note(), cause);
    }
}
