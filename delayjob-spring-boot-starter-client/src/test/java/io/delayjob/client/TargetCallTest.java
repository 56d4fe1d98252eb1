package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.JobId;
import io.delayjob.spring.AnswerTickets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What an HTTP target of a server sends is a call that the client verifies. */
class TargetCallTest {

    private static final String SECRET = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

    @Test
    void callOfATarget_arrivesVerified() throws Exception {
        try (ConfigurableApplicationContext callee = callee();
                ConfigurableApplicationContext server =
                        server(callee.getEnvironment().getProperty("local.server.port"))) {
            JobId job = server.getBean(DelayJobOperations.class)
                    .schedule("exports")
                    .with(Map.of("path", "/exports", "body", Map.of("order", "Grüße")))
                    .now()
                    .id();

            Export export = callee.getBean(Hooks.class).exports.poll(60, TimeUnit.SECONDS);

            assertThat(export).as("a call that was not refused").isNotNull();
            assertThat(export.body()).isEqualTo(Map.of("order", "Grüße"));
            DelayedCall call = export.call();
            assertThat(call.id()).startsWith(job + ":1:");
            assertThat(call.job()).isEqualTo(job);
            assertThat(call.run()).isEqualTo(1);
            assertThat(call.attempt()).isEqualTo(1);
            assertThat(server.getBean(AnswerTickets.class).read(call.answerTo()).job())
                    .isEqualTo(job);
        }
    }

    private static ConfigurableApplicationContext callee() {
        return new SpringApplicationBuilder(Callee.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "delayjob.enabled=false",
                        "delayjob.store=memory",
                        "delayjob.client.hooks.paths=/hooks/**",
                        "delayjob.client.hooks.secret=" + SECRET,
                        "logging.level.root=warn")
                .run();
    }

    private static ConfigurableApplicationContext server(String port) {
        return new SpringApplicationBuilder(Server.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "delayjob.store=memory",
                        "delayjob.answers.secret=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=",
                        "delayjob.answers.url=https://jobs.example.com/delayjob/v1/answers",
                        "delayjob.targets.exports.http.url=http://localhost:" + port + "/hooks",
                        "delayjob.targets.exports.http.insecure=true",
                        "delayjob.targets.exports.http.secret=" + SECRET,
                        "delayjob.targets.exports.http.answer-within=PT1H",
                        "logging.level.root=warn")
                .run();
    }

    private record Export(Map<String, Object> body, DelayedCall call) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Server {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "io.delayjob.rest.RestApiAutoConfiguration")
    static class Callee {

        @Bean
        Hooks hooks() {
            return new Hooks();
        }
    }

    @RestController
    static class Hooks {

        private final BlockingQueue<Export> exports = new ArrayBlockingQueue<>(10);

        @PostMapping("/hooks/exports")
        void export(@RequestBody Map<String, Object> body, DelayedCall call) {
            exports.add(new Export(body, call));
        }
    }
}
