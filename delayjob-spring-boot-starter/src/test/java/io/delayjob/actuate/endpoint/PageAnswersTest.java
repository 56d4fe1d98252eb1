package io.delayjob.actuate.endpoint;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.JobId;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the dashboard's pages tell besides the jobs themselves. */
@SpringBootTest(
        classes = EndpointApplication.class,
        properties = {
            "delayjob.store=memory",
            "delayjob.partitions=4",
            "delayjob.timeout=7m",
            "management.endpoints.web.exposure.include=delayjobs"
        })
@AutoConfigureMockMvc
class PageAnswersTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private DelayJobEngine engine;

    @Autowired
    private JobStore store;

    private JsonNode get(String path) throws Exception {
        MvcTestResult answer = mvc.get().uri("/actuator/delayjobs" + path).exchange();
        assertThat(answer).hasStatusOk();
        return JSON.readTree(answer.getResponse().getContentAsString());
    }

    @Test
    void job_tellsUnderWhichTermsItIsAttempted() throws Exception {
        JobId ofHandler =
                jobs.schedule(Orders::fragile).with(1L).after(ofHours(1)).id();
        JobId ofItsOwn = jobs.schedule(Orders::fragile)
                .with(2L)
                .retry(RetryPolicy.defaults().maxRetries(3))
                .after(ofHours(1))
                .id();
        JobId elsewhere = jobs.schedule("page-elsewhere").after(ofHours(1)).id();

        JsonNode first = get("/jobs/" + ofHandler);
        assertThat(first.get("timeout").asString()).isEqualTo("PT7M");
        assertThat(first.get("attemptsKept").asString()).isEqualTo("FAILURES");
        assertThat(first.get("retryPolicy").asString()).isNotEmpty();
        JsonNode second = get("/jobs/" + ofItsOwn);
        assertThat(second.get("retriesLeft").asInt()).isEqualTo(3);
        assertThat(second.get("retryPolicy").asString()).contains("retries=3");
        JsonNode third = get("/jobs/" + elsewhere);
        assertThat(third.has("retriesLeft"))
                .as("known to another instance only")
                .isFalse();
        assertThat(third.has("timeout")).isFalse();
    }

    @Test
    void handlers_tellWhatWaits_whatNobodyRuns_andWhatStartsByItself() throws Exception {
        jobs.schedule(Orders::fragile).with(1L).after(ofHours(1));
        jobs.schedule("page-nobody").after(ofHours(1));
        engine.declare("fragile", Repeat.every(ofHours(2)));

        JsonNode handlers = get("/handlers");

        assertThat(handlers.get("waiting").get("fragile").get("count").asInt()).isPositive();
        assertThat(handlers.get("waiting").get("fragile").get("precision").asString())
                .isEqualTo("EXACT");
        assertThat(handlers.get("countedAt").asString()).isNotEmpty();
        assertThat(handlers.get("unhandled").valueStream())
                .filteredOn(name -> name.get("name").asString().equals("page-nobody"))
                .singleElement()
                .satisfies(nobody -> assertThat(nobody.get("jobs").asInt()).isEqualTo(1));
        assertThat(handlers.get("handlers").valueStream())
                .filteredOn(handler -> handler.get("name").asString().equals("fragile"))
                .singleElement()
                .satisfies(fragile ->
                        assertThat(fragile.get("schedule").asString()).contains("PT2H"));
    }

    @Test
    void handler_tellsWhichInstancesRunIt_underAnyOfItsNames() throws Exception {
        InstanceStore register = store.instances();
        long own = engine.status().number();
        long renamed = register.register("other#1", Set.of("default"), Set.of(Set.of("drop-order")));
        for (int i = 0; i < HandlerDescriptor.MAX_INSTANCES; i++) {
            register.register("many#" + i, Set.of("default"), Set.of(Set.of("fragile"), Set.of("mail")));
        }

        assertThat(instances(get("/handlers/cancel-order"))).containsExactly(own, renamed);
        assertThat(get("/handlers").get("handlers").valueStream())
                .filteredOn(handler -> handler.get("name").asString().equals("fragile"))
                .singleElement()
                .satisfies(fragile -> assertThat(instances(fragile))
                        .hasSize(HandlerDescriptor.MAX_INSTANCES)
                        .contains(own)
                        .doesNotContain(renamed));
    }

    private static List<Long> instances(JsonNode handler) {
        return handler.get("instances").valueStream().map(JsonNode::asLong).toList();
    }

    @Test
    void queues_tellTheNumberOfPartitions() throws Exception {
        assertThat(get("/queues").get("queues").get(0).get("partitionCount").asInt())
                .isEqualTo(4);
    }

    @Test
    void pulse_tellsHowLongCallsOfTheStoreTake() throws Exception {
        jobs.schedule(Orders::fragile).with(1L).after(ofHours(1));

        assertThat(get("/pulse").get("store").get("calls").valueStream())
                .filteredOn(call -> call.get("operation").asString().equals("submit"))
                .singleElement()
                .satisfies(submit -> assertThat(submit.get("mean").asString()).startsWith("PT0.0"));
    }

    @Test
    void key_isFoundWithoutAName() throws Exception {
        jobs.schedule(Orders::fragile).with(1L).key("page 4711").after(ofHours(1));
        jobs.schedule(Orders::fragile).with(1L).key("page 4712").after(ofHours(1));

        JsonNode found = get("/jobs?key=page 4711");

        assertThat(found.get("jobs").size()).isEqualTo(1);
        assertThat(found.get("complete").asBoolean()).isTrue();
        assertThat(found.get("note").asString()).startsWith("The key was looked up under the names of all handlers");
        assertThat(found.get("lookedAt").asInt()).isLessThan(5);
        assertThat(get("/jobs?key=page 4711&state=FAILED").get("jobs").size()).isZero();
    }

    @Test
    void keyOfAnUnknownName_isLookedForAlongTheRows() throws Exception {
        jobs.schedule("page-unknown").with(Map.of()).key("page 815").after(ofHours(1));

        JsonNode found = get("/jobs?key=page 815");

        assertThat(found.get("jobs").size()).isEqualTo(1);
        assertThat(found.has("note")).isFalse();
    }
}
