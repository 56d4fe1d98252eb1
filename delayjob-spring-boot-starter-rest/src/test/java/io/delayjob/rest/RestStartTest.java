package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

/** The API does not start unless something can tell who calls it. */
class RestStartTest {

    @Test
    void withoutSpringSecurity_theStartIsRefused_andSaysTheNextStep() {
        new WebApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .withConfiguration(AutoConfigurations.of(
                        WebMvcAutoConfiguration.class,
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobAutoConfiguration.class,
                        RestApiAutoConfiguration.class))
                .withPropertyValues("delayjob.store=memory")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysed(context.getStartupFailure()).getDescription())
                            .contains("Spring Security is not on the class path");
                });
    }

    @Test
    void withoutAWayToAuthenticate_theStartIsRefused() {
        Throwable failure = catchThrowable(() -> ApiServer.start(RestSecurityTest.None.class));

        FailureAnalysis analysis = analysed(failure);
        assertThat(analysis.getDescription()).contains("there is no way to authenticate");
        assertThat(analysis.getAction())
                .contains(
                        "spring.security.oauth2.resourceserver.jwt.issuer-uri",
                        "UserDetailsService",
                        "delayjob:submit");
    }

    @Test
    void inAWebFluxApplication_theStartIsRefused_andSaysTheNextStep() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobAutoConfiguration.class,
                        ReactiveApplicationAutoConfiguration.class,
                        RestApiAutoConfiguration.class))
                .withPropertyValues("delayjob.store=memory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContainingAll(
                                "needs Spring MVC", "servlet application", "remove delayjob-spring-boot-starter-rest"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "/", "/delayjob/", "//x", "/a/**", "/{id}", "/a b", ""})
    void ambiguousPath_isRefused(String path) {
        assertThat(catchThrowable(() -> ApiServer.start("delayjob.rest.path=" + path)))
                .rootCause()
                .hasMessageContaining("Invalid delayjob.rest.path");
    }

    private static FailureAnalysis analysed(Throwable failure) {
        FailureAnalysis analysis = new MissingAuthenticationFailureAnalyzer().analyze(failure);
        assertThat(analysis).isNotNull();
        return analysis;
    }
}
