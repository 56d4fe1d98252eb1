package io.delayjob.autoconfigure;

import io.delayjob.handler.UnsupportedHandlerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why a handler cannot be atomic in a store without transactions. */
final class UnsupportedHandlerFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedHandlerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedHandlerException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Set delayjob.store=jdbc, with a DataSource of the database that the handler writes to. "
                        + "Or remove atomic = true from the handler. In an application with several stores, "
                        + "state one in a database, as in store = \"eu\".",
                cause);
    }
}
