package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.DelayJobsEndpointSecurityTest.Guarded;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

/** Behind Spring Security, set up as Spring Boot's own endpoints are: support staff may look, operators may change. */
@SpringBootTest(
        classes = {EndpointApplication.class, Guarded.class},
        properties = {
            "delayjob.store=memory",
            "management.endpoints.web.exposure.include=delayjobs",
            "management.endpoint.delayjobs.access=unrestricted",
            "delayjob.endpoint.show-payloads=when-authorized",
            "delayjob.endpoint.roles=OPS"
        })
@AutoConfigureMockMvc
class DelayJobsEndpointSecurityTest {

    private static final String NOBODY = "nobody";

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    private JobId id;

    @BeforeEach
    void schedule() {
        id = jobs.schedule(Orders::cancel).with(1L).after(Duration.ofHours(1)).id();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    '',                 nobody,  401",
        "GET,    '',                 USER,    403",
        "GET,    '',                 SUPPORT, 200",
        "GET,    /jobs,              USER,    403",
        "GET,    /jobs,              SUPPORT, 200",
        "GET,    /jobs/<id>,         nobody,  401",
        "GET,    /jobs/<id>,         SUPPORT, 200",
        "GET,    /handlers,          USER,    403",
        "GET,    /wheel,             nobody,  401",
        "GET,    /instances,         OPS,     200",
        "DELETE, /jobs/<id>,         nobody,  401",
        "DELETE, /jobs/<id>,         USER,    403",
        "DELETE, /jobs/<id>,         SUPPORT, 403",
        "DELETE, /jobs/<id>,         OPS,     200",
        "POST,   /jobs/<id>,         SUPPORT, 403",
        "POST,   /jobs/<id>,         OPS,     200"
    })
    void caller_isAskedForTheRole(HttpMethod method, String path, String role, int status) {
        MockMvcRequestBuilder request = request(method, path).with(csrf());
        if (!role.equals(NOBODY)) {
            request.with(user("ann").roles(role));
        }

        assertThat(request).hasStatus(status);

        boolean changed = status == 200 && method != HttpMethod.GET;
        assertThat(jobs.find(id)).get().satisfies(job -> {
            boolean asItWas = job.state() == JobState.DELAYED
                    && job.dueAt().equals(job.plannedAt())
                    && job.dueAt().isAfter(job.scheduledAt().plus(Duration.ofMinutes(59)));
            assertThat(asItWas).isEqualTo(!changed);
        });
    }

    @Test
    void changeWithoutCsrfToken_isRefused() {
        assertThat(request(HttpMethod.DELETE, "/jobs/<id>").with(user("ann").roles("OPS")))
                .hasStatus(403);
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @Test
    void payload_isShownToItsRolesOnly() {
        assertThat(request(HttpMethod.GET, "/jobs/<id>").with(user("ann").roles("SUPPORT")))
                .bodyJson()
                .doesNotHavePath("$.job.payload");
        assertThat(request(HttpMethod.GET, "/jobs/<id>").with(user("ann").roles("OPS")))
                .bodyJson()
                .extractingPath("$.job.payload")
                .isEqualTo("{\"orderId\":1}");
    }

    private MockMvcRequestBuilder request(HttpMethod method, String path) {
        return mvc.method(method)
                .uri("/actuator/delayjobs" + path.replace("<id>", id.toString()))
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"action\":\"reschedule\",\"delay\":\"1m\"}");
    }

    @Configuration(proxyBeanMethods = false)
    static class Guarded {

        @Bean
        @Order(1)
        SecurityFilterChain jobsEndpoint(HttpSecurity http) throws Exception {
            return http.securityMatcher(EndpointRequest.to("delayjobs"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                            .hasAnyRole("SUPPORT", "OPS")
                            .anyRequest()
                            .hasRole("OPS"))
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }
}
