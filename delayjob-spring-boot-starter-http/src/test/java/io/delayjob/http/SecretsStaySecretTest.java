package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.target.TargetHandlers;
import io.delayjob.test.DelayJobTester;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/** Secrets, headers of a target and its URL are in no log, no stored failure, no endpoint and no text of a bean. */
@ExtendWith(OutputCaptureExtension.class)
class SecretsStaySecretTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String PREVIOUS = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final String ANSWERS = "c2VjcmV0LW9mLWFuc3dlcnMtMTIzNDU2Nzg5MA==";
    private static final String KEY = "Bearer api-key-4711";

    private static final String[] HIDDEN = {
        SECRET,
        SECRET.substring(6),
        PREVIOUS,
        PREVIOUS.substring(6),
        ANSWERS,
        KEY,
        "api-key-4711",
        "hidden-path",
        "hidden-query"
    };

    private final Receiver receiver = new Receiver();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();

    @BeforeEach
    void logEverything() {
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void close() {
        root.setLevel(level);
        receiver.close();
    }

    private ApplicationContextRunner contexts() throws ClassNotFoundException {
        return VirtualEngine.contexts()
                .withConfiguration(AutoConfigurations.of(
                        Class.forName("io.delayjob.autoconfigure.DelayJobSecretsAutoConfiguration")))
                .withPropertyValues(
                        "delayjob.answers.secret=" + ANSWERS,
                        "delayjob.answers.previous-secret=" + ANSWERS,
                        "delayjob.answers.url=https://shop.example.com/answers",
                        "delayjob.targets.billing.retry.max-retries=1",
                        "delayjob.targets.billing.retry.delay=10s",
                        "delayjob.targets.billing.http.url=" + receiver.url() + "/hidden-path?key=hidden-query",
                        "delayjob.targets.billing.http.insecure=true",
                        "delayjob.targets.billing.http.answer-within=1h",
                        "delayjob.targets.billing.http.secret=" + SECRET,
                        "delayjob.targets.billing.http.previous-secret=" + PREVIOUS,
                        "delayjob.targets.billing.http.headers[Authorization]=" + KEY);
    }

    /** The receiver is the worst of its kind: it answers with all that it was sent. */
    private void echo(int status) {
        receiver.answers(exchange -> {
            byte[] bytes = ("You sent " + exchange.getRequestHeaders().get("Authorization") + " " + KEY.substring(7)
                            + " " + SECRET + " " + PREVIOUS + " by " + exchange.getRequestURI() + " "
                            + exchange.getRequestHeaders().get("delayjob-answer-to"))
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    @Test
    void failedCalls_showNoSecret(CapturedOutput output) throws Exception {
        echo(500);
        echo(403);
        contexts().run(context -> {
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            tester.tolerateFailures();
            JobId id = tester.operations()
                    .schedule("billing")
                    .with(Map.of("path", "/x"))
                    .now()
                    .id();
            tester.runDue();
            tester.advance(java.time.Duration.ofSeconds(10));
            Job job = tester.operations().find(id).orElseThrow();
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().message())
                    .startsWith("Target 'billing' answered 403 Forbidden: You sent [******]");
            assertThat(job.toString() + job.failure()).doesNotContain(HIDDEN);
            assertThat(job.payload()).doesNotContain(HIDDEN);
            assertThat(job.failure().message())
                    .contains("by ******/x?key=****** [https://shop.example.com/answers/******]");
            receiver.next();
            String answerTo = receiver.next().header("delayjob-answer-to");
            assertThat(job.failure().toString()).doesNotContain(answerTo.substring(answerTo.lastIndexOf('/') + 1));
        });
        assertThat(output).contains("Target 'billing' answered 500").doesNotContain(HIDDEN);
    }

    @Test
    void brokenCall_showsNoSecret(CapturedOutput output) throws Exception {
        contexts().run(context -> {
            receiver.close();
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            tester.tolerateFailures();
            tester.operations().schedule("billing").now();
            tester.runDue();
        });
        assertThat(output).contains("Target 'billing' could not be called").doesNotContain(HIDDEN);
    }

    @Test
    void beansAndTheirParts_areMaskedTexts() throws Exception {
        contexts().run(context -> {
            for (String name : context.getBeanDefinitionNames()) {
                assertThat(String.valueOf(context.getBean(name))).as(name).doesNotContain(HIDDEN);
            }
            assertThat(context.getBean(TargetHandlers.class).handlers().toString())
                    .doesNotContain(HIDDEN);
            assertThat(context.getBean(AnswerTickets.class)).hasToString("AnswerTickets[******]");
        });
        assertThat(new HttpTargetProperties(
                                KEY, KEY, SECRET, PREVIOUS, Map.of("a", KEY), List.of(), null, false, null, null, null)
                        .toString())
                .doesNotContain(HIDDEN);
    }

    @Test
    void endpointsThatShowValues_maskThem() throws Exception {
        contexts().run(context -> {
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
                    .contains("delayjob.targets.billing.http.secret=******", "delayjob.targets.billing.http.url=******")
                    .doesNotContain(HIDDEN);
        });
    }
}
