package io.delayjob.autoconfigure;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why an H2 file cannot be opened while another process has it open. */
final class H2FileInUseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

    /** H2's error code DATABASE_ALREADY_OPEN_1. Other databases may use the same number for another error. */
    private static final int ALREADY_OPEN = 90020;

    private static final String H2 = "org.h2.";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SQLException error
                    && error.getErrorCode() == ALREADY_OPEN
                    && error.getClass().getName().startsWith(H2)) {
                return new FailureAnalysis(
                        "The H2 database is open in another process: " + error.getMessage(), """
                        Only one instance at a time can use an H2 database in a file. Stop the other process, or
                            - give this application its own file in spring.datasource.url, or
                            - use a database for several instances, such as PostgreSQL.
                        """, error);
            }
        }
        return null;
    }
}
