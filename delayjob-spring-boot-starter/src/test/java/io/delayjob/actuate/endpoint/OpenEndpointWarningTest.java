package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

@ExtendWith(OutputCaptureExtension.class)
class OpenEndpointWarningTest {

    private static final String WARNING = "Anyone who can reach the 'delayjobs' endpoint can change jobs";

    private static final String WRITABLE = "management.endpoint.delayjobs.access=UNRESTRICTED";

    private static final String OPERATORS = "delayjob.endpoint.operator-roles=OPS";

    private final WebApplicationContextRunner servlet = new WebApplicationContextRunner();

    /** Spring Security is on this class path; nothing of it is used. */
    private static final String UNGUARDED = "spring.autoconfigure.exclude="
            + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration";

    private static void start(AbstractApplicationContextRunner<?, ?, ?> application, String... properties) {
        application
                .withUserConfiguration(Application.class)
                .withPropertyValues("delayjob.store=memory", "management.endpoints.web.exposure.include=delayjobs")
                .withPropertyValues(properties)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void writableEndpoint_withoutSpringSecurity_isWarnedOfOnce(CapturedOutput output) {
        start(servlet, WRITABLE, UNGUARDED);

        assertThat(output).containsOnlyOnce(WARNING);
    }

    @Test
    void writableEndpoint_withoutTheClassesOfSpringSecurity_isWarnedOf(CapturedOutput output) {
        start(
                servlet.withClassLoader(
                        new FilteredClassLoader(SecurityFilterChain.class, SecurityWebFilterChain.class)),
                WRITABLE,
                UNGUARDED);

        assertThat(output).containsOnlyOnce(WARNING);
    }

    @Test
    void writableEndpoint_overWebFlux_isWarnedOf(CapturedOutput output) {
        start(new ReactiveWebApplicationContextRunner(), WRITABLE, UNGUARDED);

        assertThat(output).containsOnlyOnce(WARNING);
    }

    @Test
    void writableEndpoint_behindSpringSecurity_isNotWarnedOf(CapturedOutput output) {
        start(servlet, WRITABLE);

        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void readOnlyEndpoint_isNotWarnedOf(CapturedOutput output) {
        start(servlet, UNGUARDED);

        assertThat(output).doesNotContain(WARNING);
    }

    /** Nobody has a role without Spring Security, so nobody may change anything. */
    @Test
    void endpointForOperators_isNotWarnedOf(CapturedOutput output) {
        start(servlet, WRITABLE, UNGUARDED, OPERATORS);

        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void endpointThatIsNotExposed_orNoServer_isNotWarnedOf(CapturedOutput output) {
        start(servlet, WRITABLE, UNGUARDED, "management.endpoints.web.exposure.include=health");
        start(new ApplicationContextRunner(), WRITABLE, UNGUARDED);

        assertThat(output).doesNotContain(WARNING);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
