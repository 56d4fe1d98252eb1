package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import io.delayjob.DelayJobOperations;
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
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

/** Security rules that let everybody in who is signed in; the endpoint itself asks for the role of an operator. */
@SpringBootTest(
        classes = EndpointApplication.class,
        properties = {
            "delayjob.store=memory",
            "management.endpoints.web.exposure.include=delayjobs",
            "management.endpoint.delayjobs.access=unrestricted",
            "delayjob.endpoint.operator-roles=OPS"
        })
@AutoConfigureMockMvc
class OperatorRolesTest {

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
    @CsvSource(delimiter = '|', textBlock = """
            DELETE | /jobs/<id>             | ''
            POST   | /jobs/<id>             | {"action":"reschedule","delay":"1m"}
            POST   | /handlers/cancel-order | {"action":"pause"}
            POST   | /queues/default        | {"action":"pause"}
            POST   | /jobs                  | {"action":"cancel"}
            """)
    void changeByACallerWithoutTheRole_isRefusedWithTheProperty(HttpMethod method, String path, String body) {
        assertThat(request(method, path, body, "SUPPORT"))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains("'ann'", "delayjob.endpoint.operator-roles");
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @Test
    void readByACallerWithoutTheRole_isAnswered() {
        assertThat(request(HttpMethod.GET, "/jobs/<id>", "", "SUPPORT")).hasStatusOk();
    }

    @Test
    void changeByAnOperator_isMade() {
        assertThat(request(HttpMethod.DELETE, "/jobs/<id>", "", "OPS")).hasStatusOk();
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.CANCELLED);
    }

    private MockMvcRequestBuilder request(HttpMethod method, String path, String body, String role) {
        return mvc.method(method)
                .uri("/actuator/delayjobs" + path.replace("<id>", id.toString()))
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .with(csrf())
                .with(user("ann").roles(role));
    }
}
