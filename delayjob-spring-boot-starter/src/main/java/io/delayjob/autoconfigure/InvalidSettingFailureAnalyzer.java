package io.delayjob.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Makes the failure report name the property that must be corrected. Otherwise, the report would name a bean that could
 * not be created.
 */
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct %s in the application's configuration.".formatted(cause.key()),
                cause);
    }
}
