package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

/** The client's password and the secrets of hooks are in no endpoint and no text of a bean. */
class DelayJobClientSecretsAutoConfigurationTest {

    private static final String PASSWORD = "client-pass-4711";
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String PREVIOUS = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String[] HIDDEN = {PASSWORD, SECRET, PREVIOUS};

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HttpClientAutoConfiguration.class,
                    RestClientAutoConfiguration.class,
                    DelayJobClientAutoConfiguration.class,
                    DelayJobClientSecretsAutoConfiguration.class))
            .withPropertyValues(
                    "delayjob.client.url=https://jobs.example.com/delayjob/v1",
                    "delayjob.client.username=shop",
                    "delayjob.client.password=" + PASSWORD,
                    "delayjob.client.hooks.paths=/hooks/**",
                    "delayjob.client.hooks.secret=" + SECRET,
                    "delayjob.client.hooks.previous-secret=" + PREVIOUS);

    @Test
    void endpointsThatShowValues_maskSecretsOnly() {
        contexts.run(context -> {
            List<SanitizingFunction> functions =
                    context.getBeanProvider(SanitizingFunction.class).stream().toList();
            StringWriter shown = new StringWriter();
            PrintWriter lines = new PrintWriter(shown);
            new EnvironmentEndpoint(context.getEnvironment(), functions, Show.ALWAYS)
                    .environment("delayjob.*")
                    .getPropertySources()
                    .forEach(source -> source.getProperties()
                            .forEach((key, value) -> lines.println(key + "=" + value.getValue())));
            ConfigurationPropertiesReportEndpoint report =
                    new ConfigurationPropertiesReportEndpoint(functions, Show.ALWAYS);
            report.setApplicationContext(context.getSourceApplicationContext());
            lines.println(JsonMapper.builder().build().writeValueAsString(report.configurationProperties()));

            assertThat(shown.toString())
                    .contains(
                            "delayjob.client.password=******",
                            "delayjob.client.hooks.secret=******",
                            "delayjob.client.hooks.previous-secret=******",
                            "delayjob.client.username=shop",
                            "\"password\":\"******\"")
                    .doesNotContain(HIDDEN);
        });
    }

    @Test
    void beans_showNoSecret() {
        contexts.run(context -> {
            for (String name : context.getBeanDefinitionNames()) {
                assertThat(String.valueOf(context.getBean(name))).as(name).doesNotContain(HIDDEN);
            }
        });
    }
}
