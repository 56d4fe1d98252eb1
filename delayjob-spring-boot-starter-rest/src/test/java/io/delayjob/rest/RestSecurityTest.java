package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;

import io.delayjob.annotation.DelayedJob;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.DelegatingWebMvcConfiguration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.json.JsonMapper;

/** Who may do what. */
class RestSecurityTest {

    private static final String ROOT = "/delayjob/v1";
    private static final String ID = UUID.randomUUID().toString();
    private static final List<String> USERS = List.of("submitter", "reader", "changer", "answerer", "nobody");

    private static final ApiServer server = ApiServer.start(ApiServer.ANSWERS);

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Each request, and the only user of one authority who may send it. */
    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of("POST", "/jobs", "submitter"),
                Arguments.of("GET", "/jobs?name=remind", "reader"),
                Arguments.of("GET", "/jobs/" + ID, "reader"),
                Arguments.of("HEAD", "/jobs/" + ID, "reader"),
                Arguments.of("PATCH", "/jobs/" + ID, "changer"),
                Arguments.of("DELETE", "/jobs/" + ID, "changer"),
                Arguments.of("DELETE", "/jobs?name=remind&key=1", "changer"),
                Arguments.of("POST", "/jobs/" + ID + "/retry", "changer"),
                Arguments.of("GET", "/groups", "reader"),
                Arguments.of("GET", "/groups/import-42", "reader"),
                Arguments.of("HEAD", "/groups/import-42", "reader"),
                Arguments.of("DELETE", "/groups/import-42", "changer"),
                Arguments.of("POST", "/groups/import-42/when-all-ended", "submitter"),
                Arguments.of("POST", "/groups/import-42/when-any-fails", "submitter"),
                Arguments.of("POST", "/groups/import-42/close", "submitter"),
                Arguments.of("POST", "/answers/forged", "answerer"));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void request_isAnsweredOnlyWithItsAuthority(String method, String path, String allowed) {
        assertThat(server.send(method, null, ROOT + path, "{}").status()).isEqualTo(401);
        assertThat(server.send(server.request(null, ROOT + path)
                                .header("Authorization", "Basic YWxsOndyb25n")
                                .method(method, HttpRequest.BodyPublishers.noBody()))
                        .status())
                .as("wrong password")
                .isEqualTo(401);
        for (String user : USERS) {
            ApiServer.Answer answer = server.send(method, user, ROOT + path, "{}");
            if (user.equals(allowed)) {
                assertThat(answer.status()).as(user).isNotIn(401, 403);
            } else {
                assertThat(answer.status()).as(user).isEqualTo(403);
                if (!method.equals("HEAD")) {
                    assertThat(answer.text("type")).isEqualTo("urn:delayjob:forbidden");
                }
            }
        }
        assertThat(server.jobs()).isEmpty();
    }

    /** So that no path is forgotten above. OpenApiTest compares the description with the controllers. */
    @Test
    void requests_areAllThatTheApiDescribes() throws IOException {
        Set<String> tried = requests()
                .map(request -> request.get()[0] + " " + path((String) request.get()[1]))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> described = new TreeSet<>();
        JsonMapper.builder()
                .build()
                .readTree(new ClassPathResource("openapi.json", OtherPaths.class).getContentAsByteArray())
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .propertyNames()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        assertThat(tried)
                .containsAll(described.stream()
                        .filter(each -> !each.endsWith("/openapi.json"))
                        .toList());
    }

    private static String path(String tried) {
        return tried.replaceFirst("\\?.*", "")
                .replace(ID, "{id}")
                .replace("import-42", "{name}")
                .replace("forged", "{ticket}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /openapi.json",
                "GET /elsewhere",
                "PUT /jobs",
                "OPTIONS /jobs",
                "PUT /groups",
                "GET /",
                "GET "
            })
    void otherPaths_needAnyAuthority(String request) {
        String method = request.substring(0, request.indexOf(' '));
        String path = ROOT + request.substring(request.indexOf(' ') + 1);

        assertThat(server.send(method, null, path, null).status()).isEqualTo(401);
        assertThat(server.send(method, "nobody", path, null).status()).isEqualTo(403);
        for (String user : List.of("submitter", "reader", "changer", "answerer")) {
            assertThat(server.send(method, user, path, null).status()).as(user).isNotIn(401, 403);
        }
    }

    @Test
    void refusalOfAnUnknownCaller_namesTheSchemeAndSetsNoCookie() {
        ApiServer.Answer answer = server.get(null, ROOT + "/jobs?name=remind");

        assertThat(answer.text("type")).isEqualTo("urn:delayjob:unauthenticated");
        assertThat(answer.response().headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"delayjob\"");
        assertThat(answer.response().headers().map()).doesNotContainKey("set-cookie");
        assertThat(server.get("reader", ROOT + "/jobs?name=remind")
                        .response()
                        .headers()
                        .map())
                .doesNotContainKeys("set-cookie", "access-control-allow-origin");
    }

    @Test
    void everyMethodOfTheControllers_statesAnAuthority() {
        for (Class<?> controller :
                List.of(JobsController.class, GroupsController.class, AnswersController.class, OtherPaths.class)) {
            for (Method method : controller.getDeclaredMethods()) {
                boolean mapped = Arrays.stream(method.getAnnotations())
                        .anyMatch(each -> each.annotationType().isAnnotationPresent(RequestMapping.class)
                                || each instanceof RequestMapping);
                if (mapped) {
                    assertThat(method.isAnnotationPresent(Needs.class))
                            .as(method.toString())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void otherPathsOfTheApplication_areGuardedAsBefore() {
        assertThat(server.get(null, "/other").status()).isEqualTo(401);
        assertThat(server.get("nobody", "/other").text()).isEqualTo("other");
    }

    @Test
    void applicationsOwnChain_doesNotOpenTheApi() {
        try (ApiServer open = ApiServer.start(OpenElsewhere.class)) {
            assertThat(open.get(null, "/other").text()).isEqualTo("other");
            assertThat(open.post("all", "/other", "{}").status())
                    .as("CSRF protection stays on elsewhere")
                    .isEqualTo(403);
            assertThat(open.get(null, ROOT + "/jobs?name=remind").status()).isEqualTo(401);
            assertThat(open.get("submitter", ROOT + "/jobs?name=remind").status())
                    .isEqualTo(403);
        }
    }

    @Test
    void chainThatTheApplicationReplaced_doesNotOpenTheApi() {
        try (ApiServer open = ApiServer.start(OpenHere.class)) {
            ApiServer.Answer answer = open.get(null, ROOT + "/jobs?name=remind");
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.text("type")).isEqualTo("urn:delayjob:unauthenticated");
        }
    }

    @Test
    void star_exposesHandlersOfAllStores() {
        try (ApiServer shop = ApiServer.start(
                InNamedStore.class, "delayjob.stores.eu.store=memory", "delayjob.rest.exposure.include=*")) {
            ApiServer.Answer made =
                    shop.post("submitter", ROOT + "/jobs", "{\"name\":\"invoice\",\"key\":\"i1\",\"after\":\"PT1H\"}");
            assertThat(made.status()).isEqualTo(201);
            assertThat(shop.get("reader", ROOT + "/jobs?name=invoice&key=i1")
                            .json()
                            .path("jobs"))
                    .hasSize(1);
            assertThat(shop.get("reader", ROOT + "/jobs/" + made.text("id")).text("name"))
                    .isEqualTo("invoice");
        }
    }

    @Test
    void applicationWithInterceptorsOfItsOwnOnly_isGuarded() {
        try (ApiServer own = ApiServer.start(OwnInterceptors.class)) {
            assertThat(own.get("nobody", ROOT + "/jobs?name=remind").status()).isEqualTo(403);
            assertThat(own.post("reader", ROOT + "/jobs", "{\"name\":\"elsewhere\"}")
                            .status())
                    .isEqualTo(403);
            assertThat(own.get("reader", ROOT + "/jobs?name=remind").status()).isEqualTo(200);
        }
    }

    @Test
    void controllersThatTheApplicationMoves_areGuarded() {
        try (ApiServer open = ApiServer.start(Moved.class)) {
            assertThat(open.get(null, "/api/DelayJob/v1/jobs?name=remind").status())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnConverters.class, OwnConverterBean.class, OwnFirstConverter.class})
    void applicationWithItsOwnConverters_readsBodiesStrictly(Class<?> application) {
        try (ApiServer own = ApiServer.start(application)) {
            assertThat(own.post("submitter", ROOT + "/jobs", "{\"name\":\"elsewhere\",\"afer\":\"PT1H\"}")
                            .text("type"))
                    .isEqualTo("urn:delayjob:unreadable-request");
            assertThat(own.post("submitter", ROOT + "/jobs", "{\"name\":\"elsewhere\"" + " ".repeat(2_000_000) + "}")
                            .status())
                    .isEqualTo(413);
        }
    }

    @Test
    void applicationThatPutsAConverterBeforeTheConverterOfTheApi_doesNotStart() {
        assertThatThrownBy(() -> ApiServer.start(OwnConverterAtLast.class))
                .hasMessageContainingAll(
                        "Spring MVC would read requests with [" + JacksonJsonHttpMessageConverter.class.getName() + "]",
                        "add them at the end of the list");
    }

    /** The application ignores all beans of type WebMvcConfigurer. */
    @Test
    void applicationThatConfiguresSpringMvcItself_doesNotStart() {
        assertThatThrownBy(() -> ApiServer.start(OwnMvc.class))
                .hasMessageContaining("Extend DelegatingWebMvcConfiguration instead of WebMvcConfigurationSupport");
    }

    @Test
    void configuredPathAndContextPath_areGuarded() {
        try (ApiServer moved = ApiServer.start(
                "delayjob.rest.path=/api/jobs/v1",
                "server.servlet.context-path=/shop",
                "spring.mvc.servlet.path=/mvc")) {
            assertThat(moved.get(null, "/shop/mvc/api/jobs/v1/jobs?name=remind").status())
                    .isEqualTo(401);
            assertThat(moved.get("reader", "/shop/mvc/api/jobs/v1/jobs?name=remind")
                            .status())
                    .isEqualTo(200);
            assertThat(moved.get("all", "/shop/mvc/delayjob/v1/jobs?name=remind")
                            .status())
                    .isEqualTo(404);
            ApiServer.Answer made = moved.post(
                    "submitter", "/shop/mvc/api/jobs/v1/jobs", "{\"name\":\"elsewhere\",\"after\":\"PT1H\"}");
            String location = made.response().headers().firstValue("Location").orElseThrow();
            assertThat(moved.get("reader", location).status()).isEqualTo(200);
            assertThat(moved.send("PUT", "all", "/shop/mvc/api/jobs/v1/jobs", "{}")
                            .status())
                    .isEqualTo(405);
        }
    }

    @Test
    void scopesOfAccessTokens_areAuthorities() {
        try (ApiServer tokens = ApiServer.start(Tokens.class)) {
            assertThat(withToken(tokens, "read").status()).isEqualTo(200);
            assertThat(withToken(tokens, "submit").status()).isEqualTo(403);
            ApiServer.Answer forged = withToken(tokens, "forged");
            assertThat(forged.status()).isEqualTo(401);
            assertThat(forged.response().headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer");
        }
    }

    private static ApiServer.Answer withToken(ApiServer server, String token) {
        return server.send(server.request(null, ROOT + "/jobs?name=remind")
                .header("Authorization", "Bearer " + token)
                .GET());
    }

    @Test
    void rolesOfTheUserInTheProperties_areAuthorities() {
        try (ApiServer one = ApiServer.start(
                None.class,
                "spring.security.user.name=reader",
                "spring.security.user.password=" + ApiServer.SECRET,
                "spring.security.user.roles=delayjob:read")) {
            assertThat(one.get("reader", ROOT + "/jobs?name=remind").status()).isEqualTo(200);
            assertThat(one.post("reader", ROOT + "/jobs", "{\"name\":\"remind\"}")
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void nothing_isExposedByDefault() {
        try (ApiServer closed = ApiServer.start("delayjob.rest.exposure.include=")) {
            assertThat(closed.post("all", ROOT + "/jobs", "{\"name\":\"remind\",\"arguments\":{\"orderId\":1}}")
                            .status())
                    .isEqualTo(404);
            assertThat(closed.get("all", ROOT + "/jobs?name=remind").status()).isEqualTo(404);
        }
    }

    @Test
    void star_exposesTheHandlersOfThisApplicationOnly() {
        try (ApiServer all = ApiServer.start("delayjob.rest.exposure.include=*")) {
            assertThat(all.post("all", ROOT + "/jobs", "{\"name\":\"hidden\"}").status())
                    .isEqualTo(201);
            assertThat(all.post("all", ROOT + "/jobs", "{\"name\":\"elsewhere\"}")
                            .status())
                    .isEqualTo(404);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class None {}

    /** Lets everybody see any page, by a chain that takes every request. */
    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OpenElsewhere {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    /** Replaces the chain of the API by one that asks nobody anything. */
    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OpenHere {

        @Bean
        @Order(1)
        SecurityFilterChain delayJobRestSecurityFilterChain(HttpSecurity http) throws Exception {
            return http.securityMatcher(ROOT + "/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    /** Takes a token for the end of its only scope. */
    @Configuration(proxyBeanMethods = false)
    static class Tokens {

        @Bean
        JwtDecoder decoder() {
            return token -> {
                if (token.equals("forged")) {
                    throw new BadJwtException("forged");
                }
                return new Jwt(
                        token,
                        Instant.EPOCH,
                        Instant.parse("2100-01-01T00:00:00Z"),
                        Map.of("alg", "none"),
                        Map.of("sub", "shop", "scope", "delayjob:" + token));
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class InNamedStore {

        @DelayedJob(name = "invoice", store = "eu")
        void invoice() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OpenElsewhere.class)
    static class Moved implements WebMvcConfigurer {

        @Override
        public void configurePathMatch(PathMatchConfigurer paths) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            paths.setPatternParser(parser);
            paths.addPathPrefix("/api", type -> type.isAnnotationPresent(RestController.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnConverters implements WebMvcConfigurer {

        @Override
        @SuppressWarnings("removal") // Applications still have this method.
        public void configureMessageConverters(List<HttpMessageConverter<?>> converters) {
            converters.add(new JacksonJsonHttpMessageConverter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnConverterBean {

        @Bean
        JacksonJsonHttpMessageConverter ownConverter() {
            return new JacksonJsonHttpMessageConverter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnFirstConverter implements WebMvcConfigurer {

        @Override
        @SuppressWarnings("removal") // Applications still have this method.
        public void extendMessageConverters(List<HttpMessageConverter<?>> converters) {
            converters.add(0, new JacksonJsonHttpMessageConverter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnConverterAtLast extends DelegatingWebMvcConfiguration {

        @Override
        @SuppressWarnings("removal") // Applications still have this method.
        protected void extendMessageConverters(List<HttpMessageConverter<?>> converters) {
            super.extendMessageConverters(converters);
            converters.add(0, new JacksonJsonHttpMessageConverter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnMvc extends WebMvcConfigurationSupport {}

    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class OwnInterceptors extends DelegatingWebMvcConfiguration {

        /** Leaves out the interceptors of other configurations. */
        @Override
        protected void addInterceptors(InterceptorRegistry registry) {}
    }
}
