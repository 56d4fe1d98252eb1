package io.delayjob.rest;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.JobArgument;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application with the API on a real server. It runs no job by itself, so that a test decides about every state. */
final class ApiServer implements AutoCloseable {

    static final String SECRET = "s3cret";

    /** Lets the API take answers. */
    static final String ANSWERS = "delayjob.answers.secret=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    final ConfigurableApplicationContext context;
    final JobStore store;
    private final String root;
    private final HttpClient http = HttpClient.newHttpClient();

    /** An answer, with its body as JSON if it is JSON. */
    record Answer(int status, String text, HttpResponse<String> response) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String text(String field) {
            return json().path(field).asString();
        }
    }

    private ApiServer(ConfigurableApplicationContext context) {
        this.context = context;
        this.store = context.getBean(JobStore.class);
        this.root = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    static ApiServer start(String... properties) {
        return start(Users.class, properties);
    }

    static ApiServer start(Class<?> security, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "delayjob.store=memory",
                "delayjob.worker.enabled=false",
                "delayjob.payload.max-size=1000",
                "delayjob.rest.exposure.include=remind,elsewhere",
                "delayjob.rest.exposure.groups=daily,import-*",
                "spring.main.banner-mode=off",
                "logging.level.root=warn"));
        all.addAll(List.of(properties));
        SpringApplication application = new SpringApplicationBuilder(Shop.class, security)
                .web(WebApplicationType.SERVLET)
                .properties(all.toArray(String[]::new))
                .build();
        return new ApiServer(application.run());
    }

    /** Returns its address, without a path. */
    String url() {
        return root;
    }

    Answer get(String user, String path) {
        return send(request(user, path).GET());
    }

    Answer post(String user, String path, String body, String... headers) {
        return send("POST", user, path, body, headers);
    }

    Answer patch(String user, String path, String body) {
        return send("PATCH", user, path, body);
    }

    Answer delete(String user, String path) {
        return send(request(user, path).DELETE());
    }

    Answer send(String method, String user, String path, String body, String... headers) {
        HttpRequest.Builder request = request(user, path);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    HttpRequest.Builder request(String user, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path));
        if (user != null) {
            String credentials = user + ":" + SECRET;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return request;
    }

    Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    List<Job> jobs() {
        return store.find(JobQuery.all().limit(500), Instant.EPOCH).jobs();
    }

    /** As if an instance had started it. */
    void claim(String id) {
        DueRow row = store.find(JobId.parse(id)).orElseThrow().toDueRow();
        store.claim(List.of(row), 1, row.token() + 1, Instant.ofEpochMilli(row.dueMillis()));
    }

    /** As if its attempt had failed for good. */
    void fail(String id, Throwable reason) {
        Failure failure = Failure.of(reason);
        end(running(id), JobState.FAILED, new JobOutcome.Failed(failure, false), failure);
    }

    /** As if it had run. */
    void finish(String id) {
        claim(id);
        end(running(id), JobState.FINISHED, new JobOutcome.Succeeded(null), null);
    }

    /** As if it had run, and had left this line. */
    void finish(String id, String line) {
        claim(id);
        Job running = running(id);
        JobLog log = new JobLog(running.attempt(), List.of(new JobLog.Line(running.dueAt(), line)));
        String extras = running.extras().withLog(log).toText();
        end(running.with(running.task().withExtras(extras)), JobState.FINISHED, new JobOutcome.Succeeded(null), null);
    }

    private Job running(String id) {
        return store.find(JobId.parse(id)).orElseThrow();
    }

    private void end(Job running, JobState state, JobOutcome outcome, Failure failure) {
        store.complete(List.of(new Completion(
                running,
                outcome,
                new Transition.Ended(state),
                running.token() + 1,
                running.dueAt(),
                failure,
                true,
                List.of())));
    }

    /** Lets groups end whose members have ended, as the engine does after a while. */
    void fold() {
        store.groups().fold(Instant.now(), 1, DueSink.NONE, ended -> {});
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @DelayedJob(name = "remind")
        void remind(@JobArgument("orderId") long orderId) {}

        @DelayedJob(name = "hidden")
        void hidden() {}

        @Bean
        OtherPage otherPage() {
            return new OtherPage();
        }
    }

    /** A page of the application that has nothing to do with the API. */
    @RestController
    static class OtherPage {

        @GetMapping("/other")
        String page() {
            return "other";
        }
    }

    /** One user for each authority, one with all, and one with none. */
    @Configuration(proxyBeanMethods = false)
    static class Users {

        /** Hashing would take most of the tests' time. */
        @Bean
        @SuppressWarnings("deprecation")
        PasswordEncoder passwordEncoder() {
            return NoOpPasswordEncoder.getInstance();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    user("submitter", "delayjob:submit"),
                    user("reader", "delayjob:read"),
                    user("changer", "delayjob:change"),
                    user("answerer", "delayjob:answer"),
                    user("all", "delayjob:submit", "delayjob:read", "delayjob:change", "delayjob:answer"),
                    user("nobody", "something:else"));
        }

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password(SECRET)
                    .authorities(authorities)
                    .build();
        }
    }
}
