package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.target.InvalidTargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A target that is not safe, or not clear, stops the start with a sentence that shows no secret. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedConfigurationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            method=POST                                                       | Invalid url of target 'billing': must be given.
            url=                                                              | Invalid url of target 'billing': must be given.
            url=billing.example.com                                           | Invalid url of target 'billing': must begin with https://.
            url=ftp://billing.example.com                                     | Invalid url of target 'billing': must begin with https://.
            url=file:///etc/passwd                                            | Invalid url of target 'billing': must begin with https://.
            url=http://billing.example.com                                    | must begin with https://; for a test, set insecure=true.
            url=https:///path                                                 | must have a host
            url=https:billing                                                 | must have a host
            url=https://me:hush-hush@billing.example.com                      | must have a host, and neither user info nor a fragment
            url=https://billing.example.com/a/../b                            | must not hold '.' or '..'
            url=https://billing.example.com/#top                              | must have a host, and neither user info nor a fragment
            url=https://billing.example.com/{id}                              | must be a URL (character 28 is wrong)
            url=https://a.example.com;method=BREW                             | Invalid method of target 'billing': must be one of POST, PUT, PATCH, DELETE, GET.
            url=https://a.example.com;method=CONNECT                          | Invalid method of target 'billing'
            url=https://a.example.com;secret=hush-hush                        | Invalid secret of target 'billing': must be whsec_ followed by 24 to 64 bytes in Base64
            url=https://a.example.com;secret=whsec_aHVzaC1odXNo               | Invalid secret of target 'billing': must be whsec_ followed by 24 to 64 bytes in Base64
            url=https://a.example.com;secret=                                 | Invalid secret of target 'billing'
            url=https://a.example.com;previous-secret=hush-hush               | Invalid previous-secret of target 'billing': needs the new secret beside it
            url=https://a.example.com;headers[Host]=hush-hush                 | Invalid header 'Host' of target 'billing'
            url=https://a.example.com;headers[webhook-id]=hush-hush           | Invalid header 'webhook-id' of target 'billing'
            url=https://a.example.com;headers[Idempotency-Key]=hush-hush      | Invalid header 'Idempotency-Key' of target 'billing'
            url=https://a.example.com;headers[X-A]=hush-hush\u00e4            | Invalid value of header 'X-A' of target 'billing': must be printable ASCII.
            url=https://a.example.com;allowed-headers=Authorization           | Invalid allowed header 'Authorization'
            url=https://a.example.com;headers[X-A]=hush-hush;allowed-headers=X-B,x-a | Invalid allowed header 'x-a' of target 'billing': must not be one of its configured headers
            url=https://a.example.com;ssl-bundle=mine                         | Invalid ssl-bundle
            url=https://a.example.com;connect-timeout=0s                      | Invalid connect-timeout or read-timeout of target 'billing': must be 1 ms or more.
            url=https://a.example.com;answer-within=1h                        | Invalid answer-within of target 'billing'
            url=https://a.example.com;sectret=hush-hush                       | Target 'billing' has an unknown property: delayjob.targets.billing.http.sectret. Correct or remove the property. The most similar key is delayjob.targets.billing.http.secret;
            """)
    void unsafeOrUnclearConfiguration_stopsTheStart(String properties, String message, CapturedOutput output) {
        String[] stated = java.util.Arrays.stream(properties.split(";"))
                .map(property -> "delayjob.targets.billing.http." + property)
                .toArray(String[]::new);
        VirtualEngine.contexts().withPropertyValues(stated).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(InvalidTargetException.class)
                    .hasMessageContaining(message)
                    .satisfies(failure -> {
                        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                            assertThat(cause.toString()).doesNotContain("hush-hush", "aHVzaC1odXNo");
                        }
                    });
            assertThat(output).doesNotContain("hush-hush", "aHVzaC1odXNo");
        });
    }

    @Test
    void withoutTargets_nothingIsRegistered() {
        VirtualEngine.contexts()
                .run(context ->
                        assertThat(context.getBean(HandlerRegistry.class).all()).isEmpty());
    }

    @Test
    void disabledTargets_areNotRegistered() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayJobHttpAutoConfiguration.class))
                .withPropertyValues("delayjob.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HttpTargetKind.class));
    }
}
