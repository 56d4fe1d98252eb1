package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DelayJobSecretsAutoConfigurationTest {

    @ParameterizedTest
    @CsvSource({
        "delayjob.targets.billing.http.secret, true",
        "delayjob.targets.billing.http.previous-secret, true",
        "delayjob.targets.billing.http.previousSecret, true",
        "DELAYJOB_TARGETS_BILLING_HTTP_SECRET, true",
        "delayjob.targets.billing.http.headers.Authorization, true",
        "delayjob.targets.billing.http.headers[X-Api-Key], true",
        "delayjob.answers.secret, true",
        "delayjob.targets.billing.http.allowed-headers[0], false",
        "delayjob.targets.billing.http.url, true",
        "DELAYJOB_TARGETS_BILLING_HTTP_URL, true",
        "delayjob.answers.url, false",
        "delayjob.targets.billing.concurrency, false",
        "delayjob.liveness, false",
        "my.secret, false",
    })
    void secretsAreMasked_andNothingElse(String key, boolean masked) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayJobSecretsAutoConfiguration.class))
                .run(context -> assertThat(context.getBean(SanitizingFunction.class)
                                .apply(new SanitizableData(null, key, "whsec_1"))
                                .getValue())
                        .isEqualTo(masked ? SanitizableData.SANITIZED_VALUE : "whsec_1"));
    }
}
