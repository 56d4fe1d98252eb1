package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what to do without job tables. */
final class UnusableJobTablesFailureAnalyzer extends AbstractFailureAnalyzer<UnusableJobTablesException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableJobTablesException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), """
                Have them created, or say where they are:
                    - set delayjob.jdbc.initialize-schema=always to create them at start, or
                    - add io/delayjob/jdbc/schema-%s.sql of delayjob-jdbc-store.jar to your migrations, or
                    - add the columns that they lack, as that script has them, or
                    - correct delayjob.jdbc.table-prefix, spring.datasource.url or the user's search path, or
                    - set delayjob.store=memory if jobs may be lost when the application ends.
                """.formatted(cause.platform()), cause);
    }
}
