package io.delayjob.actuate.endpoint;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Ends;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
        classes = EndpointApplication.class,
        properties = {
            "delayjob.store=memory",
            "management.endpoints.web.exposure.include=delayjobs",
            "management.endpoint.delayjobs.access=unrestricted",
            "logging.level.io.delayjob.actuate.endpoint=info"
        })
@AutoConfigureMockMvc
@ExtendWith(OutputCaptureExtension.class)
@RecordApplicationEvents
class BulkChangesByHandTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private EngineClock clock;

    @Autowired
    private Orders orders;

    @Autowired
    private Ends ends;

    private MvcTestResult post(String body) {
        return mvc.post()
                .uri("/actuator/delayjobs/jobs")
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    private JsonNode changed(String body) throws Exception {
        MvcTestResult answer = post(body);
        assertThat(answer).hasStatusOk();
        return JSON.readTree(answer.getResponse().getContentAsString());
    }

    private List<JobId> waiting(String name, int count) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(jobs.schedule(name).after(ofHours(1)).id());
        }
        return ids;
    }

    private Instant seen() {
        return clock.latestStoreTime();
    }

    @Test
    void selection_isCancelledPageByPage(CapturedOutput output) throws Exception {
        List<JobId> ids = waiting("bulk-cancel", 3);
        JobId other = waiting("bulk-other", 1).get(0);
        String body =
                "{\"action\":\"cancel\",\"state\":\"DELAYED\",\"name\":\"bulk-cancel\",\"seen\":\"%s\",\"limit\":\"2\"%s}";

        JsonNode first = changed(body.formatted(seen(), ""));
        assertThat(first.get("changed").asInt()).isEqualTo(2);
        JsonNode second = changed(
                body.formatted(seen(), ",\"after\":\"" + first.get("next").asString() + "\""));
        assertThat(second.get("changed").asInt()).isEqualTo(1);
        assertThat(second.has("next")).isFalse();

        assertThat(ids).allSatisfy(id -> assertThat(state(id)).isEqualTo(JobState.CANCELLED));
        assertThat(state(other)).isEqualTo(JobState.DELAYED);
        assertThat(output)
                .contains("endpoint: Jobs (state=DELAYED, name=bulk-cancel): 'cancel' by anonymous. "
                        + "The result: 2 changed, 0 skipped, more to come.");
    }

    @Test
    void membersOfAGroup_areChanged_andOthersStay() throws Exception {
        JobId member =
                jobs.schedule("bulk-member").group("bulk-80").after(ofHours(1)).id();
        JobId other = waiting("bulk-member", 1).get(0);

        JsonNode answer = changed("{\"action\":\"cancel\",\"state\":\"DELAYED\",\"group\":\"bulk-80\",\"seen\":\"%s\"}"
                .formatted(seen()));

        assertThat(answer.get("changed").asInt()).isEqualTo(1);
        assertThat(state(member)).isEqualTo(JobState.CANCELLED);
        assertThat(state(other)).isEqualTo(JobState.DELAYED);
    }

    @Test
    void changes_arePublishedAsAuditEvents(ApplicationEvents events) throws Exception {
        List<JobId> ids = waiting("bulk-audit", 2);
        JobId single = waiting("bulk-audit-single", 1).get(0);

        changed("{\"action\":\"cancel\",\"state\":\"DELAYED\",\"name\":\"bulk-audit\",\"seen\":\"%s\"}"
                .formatted(seen()));
        assertThat(mvc.delete().uri("/actuator/delayjobs/jobs/" + single).with(user("ann")))
                .hasStatusOk();
        assertThat(post("{\"action\":\"explode\"}")).hasStatus(400);

        assertThat(events.stream(AuditApplicationEvent.class).map(AuditApplicationEvent::getAuditEvent))
                .satisfiesExactly(
                        many -> {
                            assertThat(many.getType()).isEqualTo("DELAYJOB_CHANGE");
                            assertThat(many.getPrincipal()).isEqualTo("anonymous");
                            assertThat(many.getData())
                                    .containsEntry("action", "cancel")
                                    .containsEntry("selection", "state=DELAYED, name=bulk-audit")
                                    .containsEntry("result", "CHANGED")
                                    .containsEntry("changed", 2);
                            assertThat((List<?>) many.getData().get("jobs"))
                                    .map(Object::toString)
                                    .containsExactlyInAnyOrderElementsOf(
                                            ids.stream().map(JobId::toString).toList());
                        },
                        one -> {
                            assertThat(one.getPrincipal()).isEqualTo("ann");
                            assertThat(one.getData())
                                    .containsEntry("action", "cancel")
                                    .containsEntry("job", single.toString())
                                    .containsEntry("result", "CANCELLED");
                        });
    }

    @Test
    void selection_isRescheduledOverASpan() throws Exception {
        List<JobId> ids = waiting("bulk-later", 4);
        Instant before = clock.storeTime();

        changed(
                "{\"action\":\"reschedule\",\"state\":\"DELAYED\",\"name\":\"bulk-later\",\"seen\":\"%s\",\"delay\":\"2h\",\"spread\":\"40m\"}"
                        .formatted(seen()));

        List<Long> minutes = ids.stream()
                .map(id -> Duration.between(before, jobs.find(id).orElseThrow().dueAt())
                        .toMinutes())
                .sorted()
                .toList();
        assertThat(minutes).containsExactly(120L, 130L, 140L, 150L);
    }

    @Test
    void youngerJobs_areLeftAlone() throws Exception {
        Instant seen = clock.storeTime().minusSeconds(60);
        JobId young = waiting("bulk-young", 1).get(0);

        JsonNode answer =
                changed("{\"action\":\"cancel\",\"state\":\"DELAYED\",\"name\":\"bulk-young\",\"seen\":\"%s\"}"
                        .formatted(seen));

        assertThat(answer.get("changed").asInt()).isZero();
        assertThat(state(young)).isEqualTo(JobState.DELAYED);
    }

    @Test
    void deadLettersOfOneError_areRetriedLater() throws Exception {
        orders.fails = true;
        JobId id = jobs.schedule(Orders::fragile).with(71L).now().id();
        ends.await(id);
        orders.fails = false;

        JsonNode answer = changed(
                "{\"action\":\"retry\",\"state\":\"FAILED\",\"error\":\"java.lang.IllegalStateException\",\"seen\":\"%s\",\"delay\":\"3h\"}"
                        .formatted(seen()));

        assertThat(answer.get("changed").asInt()).isPositive();
        Job back = jobs.find(id).orElseThrow();
        assertThat(back.state()).isEqualTo(JobState.DELAYED);
        assertThat(back.dueAt()).isAfter(clock.storeTime().plus(Duration.ofMinutes(170)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                          | The parameter action is missing: it must be retry, cancel or reschedule.
            {"action":"explode","seen":"2030-01-01T08:00:00Z"}          | Invalid action 'explode': must be retry, cancel or reschedule.
            {"action":"cancel"}                                         | The parameter seen is missing
            {"action":"cancel","seen":"2030-01-01T08:00:00Z"}           | The parameter state is missing
            {"action":"retry","state":"READY","name":"a","seen":"2030-01-01T08:00:00Z"}   | Invalid state 'READY' to retry: must be one of [FAILED].
            {"action":"retry","state":"FAILED","seen":"2030-01-01T08:00:00Z"}             | The selection contains every job in state FAILED
            {"action":"cancel","state":"READY","name":"a","delay":"1h","seen":"2030-01-01T08:00:00Z"} | Invalid delay '1h': must be left out, because a cancellation takes effect at once
            {"action":"reschedule","state":"READY","name":"a","seen":"2030-01-01T08:00:00Z"} | The parameter delay is missing
            {"action":"cancel","state":"READY","nmae":"a","seen":"2030-01-01T08:00:00Z"}  | Unknown parameter 'nmae'
            """)
    void badSelection_isAnsweredWithTheReason(String body, String reason) {
        assertThat(post(body))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(reason);
    }

    private JobState state(JobId id) {
        return jobs.find(id).orElseThrow().state();
    }
}
