package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.JobState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** Who may do what is Spring Boot's business; that it is asked is ours. */
class DelayJobsEndpointAccessTest {

    private static final String JOBS = "/actuator/delayjobs/jobs/";

    private final WebApplicationContextRunner contexts = new WebApplicationContextRunner()
            .withUserConfiguration(EndpointApplication.class)
            .withPropertyValues("delayjob.store=memory");

    @Test
    void endpoint_isNotExposedByDefault() {
        contexts.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(DelayJobsEndpoint.class)
                .doesNotHaveBean(DelayJobsEndpointWebExtension.class));
    }

    @Test
    void exposedEndpoint_isReadOnlyByDefault() {
        contexts.withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> {
                    MockMvcTester mvc = MockMvcTester.from(context);
                    DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
                    var id = jobs.schedule(Orders::cancel)
                            .with(1L)
                            .after(Duration.ofHours(1))
                            .id();
                    assertThat(mvc.get().uri(JOBS + id))
                            .hasStatusOk()
                            .bodyJson()
                            .satisfies(json -> {
                                json.assertThat().doesNotHavePath("$.job.payload");
                                json.assertThat()
                                        .extractingPath("$.payloadHidden")
                                        .isEqualTo("delayjob.endpoint.show-payloads is never.");
                            });
                    assertThat(mvc.delete().uri(JOBS + id)).hasStatus(405);
                    assertThat(mvc.post()
                                    .uri(JOBS + id)
                                    .contentType(MediaType.APPLICATION_JSON)
                                    .content("{\"action\":\"run\"}"))
                            .hasStatus(405);
                    assertThat(jobs.find(id))
                            .get()
                            .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.DELAYED));
                });
    }

    @Test
    void unrestrictedEndpoint_changesJobs() {
        contexts.withPropertyValues(
                        "management.endpoints.web.exposure.include=delayjobs",
                        "management.endpoint.delayjobs.access=UNRESTRICTED")
                .run(context -> {
                    var id = context.getBean(DelayJobOperations.class)
                            .schedule(Orders::cancel)
                            .with(1L)
                            .after(Duration.ofHours(1))
                            .id();
                    assertThat(MockMvcTester.from(context).delete().uri(JOBS + id))
                            .hasStatusOk();
                });
    }

    @Test
    void accessNone_hidesIt() {
        contexts.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.delayjobs.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayJobsEndpoint.class));
    }

    @Test
    void payloads_areShownWhenAsked() {
        contexts.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "delayjob.endpoint.show-payloads=always")
                .run(context -> {
                    context.getBean(DelayJobOperations.class)
                            .schedule(Orders::cancel)
                            .with(1L)
                            .after(Duration.ofHours(1));
                    assertThat(MockMvcTester.from(context).get().uri("/actuator/delayjobs/jobs"))
                            .bodyJson()
                            .extractingPath("$.jobs[0].payload")
                            .isEqualTo("{\"orderId\":1}");
                });
    }
}
