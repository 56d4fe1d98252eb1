package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.ClassUtils;

/** Where and how the page is served, by real servers of both web stacks. */
@ExtendWith(OutputCaptureExtension.class)
class DashboardServingTest {

    /** Lets everybody in, because Spring Security is on this class path. */
    static final String OPEN = "spring.autoconfigure.exclude="
            + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration";

    private static final String EXPOSED = "management.endpoints.web.exposure.include=delayjobs";

    private final HttpClient http = HttpClient.newHttpClient();

    enum Stack {
        MVC(WebApplicationType.SERVLET, "server.servlet.context-path"),
        WEBFLUX(WebApplicationType.REACTIVE, "spring.webflux.base-path");

        private final WebApplicationType type;
        private final String contextPath;

        Stack(WebApplicationType type, String contextPath) {
            this.type = type;
            this.contextPath = contextPath;
        }

        ConfigurableApplicationContext start(String... properties) {
            List<String> all = new ArrayList<>(List.of(
                    "server.port=0",
                    "delayjob.store=memory",
                    "spring.application.name=shop",
                    "spring.security.user.name=ann",
                    "spring.security.user.password=secret"));
            all.addAll(List.of(properties));
            return new SpringApplicationBuilder(Application.class)
                    .web(type)
                    .properties(all.toArray(String[]::new))
                    .run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @DelayedJob(name = "send-webhook")
        void send() {}

        /** Hashing would take most of the tests' time. */
        @Bean
        @SuppressWarnings("deprecation")
        PasswordEncoder passwordEncoder() {
            return NoOpPasswordEncoder.getInstance();
        }

        @Bean
        @ConditionalOnProperty("test.authority")
        InMemoryUserDetailsManager users(@Value("${test.authority}") String authority) {
            return new InMemoryUserDetailsManager(ann(authority));
        }

        @Bean
        @ConditionalOnProperty("test.authority")
        MapReactiveUserDetailsService reactiveUsers(@Value("${test.authority}") String authority) {
            return new MapReactiveUserDetailsService(ann(authority));
        }

        /** Wants a password, and no token. */
        @Bean
        @ConditionalOnProperty("test.open")
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        SecurityFilterChain withoutTokens(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        @ConditionalOnProperty("test.open")
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        SecurityWebFilterChain reactiveWithoutTokens(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        /** A store that can be taken away. */
        @Bean
        static Away away() {
            return new Away();
        }

        private static UserDetails ann(String authority) {
            return User.withUsername("ann")
                    .password("secret")
                    .authorities(authority)
                    .build();
        }
    }

    static final class Away implements BeanPostProcessor {

        volatile boolean isAway;

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof JobStore
                    ? Proxy.newProxyInstance(
                            JobStore.class.getClassLoader(),
                            ClassUtils.getAllInterfaces(bean),
                            (proxy, method, arguments) -> call(bean, method, arguments))
                    : bean;
        }

        private @Nullable Object call(Object store, Method method, @Nullable Object[] arguments) throws Throwable {
            if (isAway && method.getDeclaringClass() != Object.class) {
                throw StoreException.unavailable("The database does not answer.", new IllegalStateException());
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
        }
    }

    static String port(ConfigurableApplicationContext application) {
        return "http://localhost:" + application.getEnvironment().getProperty("local.server.port");
    }

    private HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String password(String word) {
        return "Basic " + Base64.getEncoder().encodeToString(("ann:" + word).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void page_belowTheExposedEndpoint_isServedWithStrictHeaders(Stack stack) throws Exception {
        try (var application = stack.start(OPEN, EXPOSED)) {
            String ui = port(application) + "/actuator/delayjobs/ui";
            HttpResponse<String> redirect = get(ui);
            assertThat(redirect.statusCode()).isEqualTo(302);
            assertThat(redirect.headers().firstValue("Location")).hasValue("ui/");

            HttpResponse<String> document = get(ui + "/?jobs&state=FAILED");
            assertThat(document.statusCode()).isEqualTo(200);
            assertThat(document.body()).startsWith("<!doctype html>").doesNotContain("localhost");
            assertThat(document.headers().map())
                    .containsEntry("Content-Type", List.of("text/html;charset=utf-8"))
                    .containsEntry("Cache-Control", List.of("no-cache"))
                    .containsEntry("Referrer-Policy", List.of("no-referrer"))
                    .containsEntry("X-Content-Type-Options", List.of("nosniff"))
                    .containsEntry(
                            "Content-Security-Policy",
                            List.of("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"));

            String tag = get(ui + "/app.js").headers().firstValue("ETag").orElseThrow();
            assertThat(get(ui + "/app.js", "If-None-Match", tag).statusCode()).isEqualTo(304);
            assertThat(get(ui + "/app.js", "If-None-Match", "\"other\"").statusCode())
                    .isEqualTo(200);
            for (String absent : List.of("/nothing.js", "/../handlers", "/a/app.js", "/%2e%2e/Dashboard.class")) {
                assertThat(get(ui + absent).statusCode()).as(absent).isIn(400, 404, 200);
                assertThat(get(ui + absent).body()).as(absent).doesNotContain("<!doctype");
            }
            HttpRequest post = HttpRequest.newBuilder(URI.create(ui + "/"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(405);
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void session_withoutSpringSecurity_tellsOfTheApplicationAndItsAccess(Stack stack) throws Exception {
        try (var application = stack.start(
                OPEN, EXPOSED, "delayjob.dashboard.title=Shop", "delayjob.dashboard.environment=production")) {
            HttpResponse<String> session = get(port(application) + "/actuator/delayjobs/ui/session");
            assertThat(session.body())
                    .isEqualTo(
                            "{\"access\":\"READ_ONLY\",\"mayChange\":false,\"application\":\"Shop\",\"environment\":\"production\"}");
            assertThat(session.headers().firstValue("Content-Type")).hasValue("application/json");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void session_ofAUser_hasATokenThatTheEndpointTakes(Stack stack) throws Exception {
        try (var application = stack.start(EXPOSED, "management.endpoint.delayjobs.access=unrestricted")) {
            String endpoint = port(application) + "/actuator/delayjobs";
            assertThat(get(endpoint + "/ui/").statusCode()).isEqualTo(401);
            assertThat(get(endpoint + "/ui/session").statusCode()).isEqualTo(401);
            HttpResponse<String> session = get(endpoint + "/ui/session", "Authorization", password("secret"));
            assertThat(session.body())
                    .startsWith(
                            "{\"user\":\"ann\",\"access\":\"UNRESTRICTED\",\"mayChange\":true,\"csrf\":{\"header\":\"X-CSRF-TOKEN\",\"token\":\"");
            String token = session.body().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
            String cookie =
                    session.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            HttpRequest.Builder pause = HttpRequest.newBuilder(URI.create(endpoint + "/handlers/send-webhook"))
                    .header("Content-Type", "application/json")
                    .header("Authorization", password("secret"))
                    .header("Cookie", cookie)
                    .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"pause\"}"));
            assertThat(http.send(pause.copy().build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .as("without the token")
                    .isIn(401, 403);
            HttpResponse<String> paused =
                    http.send(pause.header("X-CSRF-TOKEN", token).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void documentedSessionOfCurl_withCsrfProtection_changesAHandler(Stack stack, @TempDir Path directory)
            throws Exception {
        boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_TOOLS"));
        Assumptions.assumeTrue(required || Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        String page = Files.readString(Path.of("../docs/dashboard.md"));
        String session = page.replaceAll("(?s).*### Change jobs with curl.*?```bash\n(.*?)```.*", "$1");
        try (var application = stack.start(EXPOSED, "management.endpoint.delayjobs.access=unrestricted")) {
            Process bash = new ProcessBuilder(
                            "bash", "-ec", session.replace("http://localhost:8080", port(application)))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor()).as(answer).isZero();
            assertThat(answer).startsWith("{\"name\":\"send-webhook\",\"result\":\"PAUSED\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void session_ofAUserWithoutTheRoleOfOperators_mayNotChange(Stack stack) throws Exception {
        String[] operators = {
            EXPOSED, "management.endpoint.delayjobs.access=unrestricted", "delayjob.endpoint.operator-roles=OPS"
        };
        try (var application = stack.start(operators)) {
            String session = port(application) + "/actuator/delayjobs/ui/session";
            assertThat(get(session, "Authorization", password("secret")).body()).contains("\"mayChange\":false");
        }
        try (var application =
                stack.start(operators[0], operators[1], operators[2], "spring.security.user.roles=OPS")) {
            String session = port(application) + "/actuator/delayjobs/ui/session";
            assertThat(get(session, "Authorization", password("secret")).body()).contains("\"mayChange\":true");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void session_ofAUserWithAnAuthorityThatIsNoRole_mayNotChange(Stack stack) throws Exception {
        for (String authority : List.of("OPS", "ROLE_OPS")) {
            try (var application = stack.start(
                    EXPOSED,
                    "management.endpoint.delayjobs.access=unrestricted",
                    "delayjob.endpoint.operator-roles=OPS",
                    "test.authority=" + authority)) {
                String session = port(application) + "/actuator/delayjobs/ui/session";
                assertThat(get(session, "Authorization", password("secret")).body())
                        .contains("\"mayChange\":" + authority.equals("ROLE_OPS"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void page_withContextPathAndAnotherBasePath_movesWithTheEndpoint(Stack stack, CapturedOutput output)
            throws Exception {
        try (var application = stack.start(
                OPEN, EXPOSED, stack.contextPath + "=/shop", "management.endpoints.web.base-path=/manage")) {
            String ui = port(application) + "/shop/manage/delayjobs/ui/";
            assertThat(get(ui).statusCode()).isEqualTo(200);
            assertThat(get(ui + "app.css").statusCode()).isEqualTo(200);
            assertThat(output).contains("delayjob's dashboard: " + ui);
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void page_withAManagementPort_isThereAndNowhereElse(Stack stack, CapturedOutput output) throws Exception {
        try (var application = stack.start(
                OPEN,
                EXPOSED,
                "management.server.port=0",
                "management.server.base-path=/ops",
                "delayjob.dashboard.environment=production")) {
            String management =
                    "http://localhost:" + application.getEnvironment().getProperty("local.management.port");
            assertThat(get(management + "/ops/actuator/delayjobs/ui/").statusCode())
                    .isEqualTo(200);
            assertThat(get(management + "/ops/actuator/delayjobs/ui/session").body())
                    .contains("READ_ONLY");
            assertThat(get(port(application) + "/actuator/delayjobs/ui/").statusCode())
                    .isEqualTo(404);
            assertThat(output)
                    .contains("delayjob's dashboard: " + management + "/ops/actuator/delayjobs/ui/")
                    .doesNotContain("Unknown property");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void page_ofAnEndpointThatIsNotExposed_isNotThere(Stack stack, CapturedOutput output) throws Exception {
        try (var application = stack.start(OPEN)) {
            assertThat(get(port(application) + "/actuator/delayjobs/ui/").statusCode())
                    .isEqualTo(404);
        }
        try (var application = stack.start(OPEN, EXPOSED, "delayjob.dashboard.enabled=false")) {
            assertThat(get(port(application) + "/actuator/delayjobs/ui/").statusCode())
                    .isEqualTo(404);
        }
        assertThat(output).doesNotContain("delayjob's dashboard", "Unknown property");
    }

    @Test
    void application_withoutAServer_startsAllTheSame() {
        try (var application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("delayjob.store=memory", EXPOSED)
                .run()) {
            assertThat(application.isRunning()).isTrue();
        }
    }
}
