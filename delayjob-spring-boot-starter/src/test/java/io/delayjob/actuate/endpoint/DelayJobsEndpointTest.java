package io.delayjob.actuate.endpoint;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;

import io.delayjob.DelayJobOperations;
import io.delayjob.JobGroup;
import io.delayjob.actuate.endpoint.EndpointApplication.Ends;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Repeat;
import io.delayjob.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
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
            "delayjob.endpoint.show-payloads=when-authorized",
            "delayjob.endpoint.roles=OPS",
            "logging.level.io.delayjob.actuate.endpoint=info"
        })
@AutoConfigureMockMvc
@ExtendWith(OutputCaptureExtension.class)
class DelayJobsEndpointTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private JobStore store;

    @Autowired
    private Orders orders;

    @Autowired
    private Ends ends;

    private JobId waiting(long orderId) {
        return jobs.schedule(Orders::cancel)
                .with(orderId)
                .key(orderId)
                .after(ofHours(1))
                .id();
    }

    private JobId failed(long orderId) throws Exception {
        orders.fails = true;
        JobId id = jobs.schedule(Orders::fragile).with(orderId).now().id();
        ends.await(id);
        return id;
    }

    private MvcTestResult get(String path) {
        return mvc.get().uri("/actuator/delayjobs" + path).exchange();
    }

    private MvcTestResult post(JobId id, String body) {
        return mvc.post()
                .uri("/actuator/delayjobs/jobs/" + id)
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    private MvcTestResult delete(String id) {
        return mvc.delete().uri("/actuator/delayjobs/jobs/" + id).exchange();
    }

    @Test
    void summary_countsJobsAndShowsTheEngine() {
        waiting(1);
        assertThat(get("")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat()
                    .extractingPath("$.jobs.DELAYED")
                    .asNumber()
                    .satisfies(count -> assertThat(count.intValue()).isPositive());
            json.assertThat().extractingPath("$.engine.running").isEqualTo(true);
            json.assertThat().hasPath("$.engine.partitions");
            json.assertThat().extractingPath("$.engine.attempts").asNumber().isNotNull();
            json.assertThat().extractingPath("$.engine.claimed").asNumber().isNotNull();
        });
    }

    @Test
    void groups_areListed_andCancelled() {
        JobId member = jobs.schedule(Orders::cancel)
                .with(77L)
                .group("import-77")
                .after(ofHours(1))
                .id();

        assertThat(get("/groups")).hasStatusOk().bodyJson().satisfies(json -> {
            String group = "$.groups[?(@.name=='import-77')]";
            json.assertThat().extractingPath(group + ".state").isEqualTo(List.of("OPEN"));
            json.assertThat().extractingPath(group + ".endedAt").isEqualTo(List.of());
            json.assertThat().extractingPath("$.ended[*].name").asArray().doesNotContain("import-77");
        });
        assertThat(get("/groups/import-77"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.begun")
                .isEqualTo(1);
        assertThat(get("/groups/unknown")).hasStatus(404);

        assertThat(mvc.delete().uri("/actuator/delayjobs/groups/import-77").exchange())
                .hasStatusOk()
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat().extractingPath("$.result").isEqualTo("CANCELLED");
                    json.assertThat().extractingPath("$.changed").isEqualTo(1);
                });
        assertThat(jobs.find(member).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(mvc.delete().uri("/actuator/delayjobs/groups/unknown").exchange())
                .hasStatus(404);
    }

    @Test
    void member_showsItsGroup_andIsFoundByIt() {
        String member = jobs.schedule("grouped")
                .group("import-78")
                .after(ofHours(1))
                .id()
                .toString();
        jobs.schedule("grouped").group("import-780").after(ofHours(1));

        assertThat(get("/jobs?name=grouped&group=import-78"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(member));
        assertThat(get("/jobs/" + member)).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.job.group").isEqualTo("import-78");
            json.assertThat().doesNotHavePath("$.job.followsGroup");
        });
        assertThat(get("/jobs?group=" + "x".repeat(101)))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains("of a group");
    }

    @Test
    void jobThatFollowsAGroup_saysWhichOne() {
        JobGroup group = jobs.group("import-79");
        JobId follower =
                group.add(jobs.schedule(Orders::report).with("shop-7")).whenAllEnded(jobs.schedule("group-is-over"));

        await().untilAsserted(() -> assertThat(jobs.find(follower)).isPresent());
        assertThat(get("/jobs/" + follower)).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.job.followsGroup").isEqualTo("import-79");
            json.assertThat().doesNotHavePath("$.job.group");
        });
    }

    @Test
    void finishedJob_tellsHowLongItsHandlerKeepsIt() throws Exception {
        JobId id = jobs.schedule(Orders::report).with("shop-8").now().id();
        ends.await(id);

        Instant ended = jobs.find(id).orElseThrow().endedAt();
        assertThat(get("/jobs/" + id)).bodyJson().satisfies(json -> {
            json.assertThat()
                    .extractingPath("$.job.keptUntil")
                    .isEqualTo(ended.plus(Duration.ofDays(90)).toString());
            for (String key : List.of("mutex", "rateKey", "fairKey")) {
                json.assertThat().extractingPath("$.job." + key).isEqualTo("shop-8");
            }
        });
    }

    @Test
    void jobs_areListedByStateNameAndKey() {
        JobId id = waiting(2);
        assertThat(get("/jobs?state=delayed&name=cancel-order&key=2"))
                .hasStatusOk()
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat().extractingPath("$.jobs.length()").isEqualTo(1);
                    json.assertThat().extractingPath("$.jobs[0].id").isEqualTo(id.toString());
                    json.assertThat().extractingPath("$.jobs[0].state").isEqualTo("DELAYED");
                    json.assertThat().extractingPath("$.jobs[0].queue").isEqualTo("default");
                    json.assertThat().doesNotHavePath("$.jobs[0].payload");
                    json.assertThat().doesNotHavePath("$.jobs[0].endedAt");
                    json.assertThat().doesNotHavePath("$.next");
                });
        assertThat(get("/jobs?state=DELAYED&key=nobody"))
                .bodyJson()
                .extractingPath("$.jobs.length()")
                .isEqualTo(0);
    }

    @Test
    void job_showsItsExpiryAndLabels_andIsFoundByALabel() {
        String id = jobs.schedule("labelled")
                .label("customer:7")
                .label("web")
                .expiresAfter(ofHours(2))
                .at(Instant.parse("2090-01-01T00:00:00Z"))
                .id()
                .toString();
        jobs.schedule("labelled").label("customer:77").after(ofHours(1));

        assertThat(get("/jobs?name=labelled&label=customer:7"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(id));
        assertThat(get("/jobs/" + id)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.job.labels").isEqualTo(List.of("customer:7", "web"));
            json.assertThat().extractingPath("$.job.expiresAt").isEqualTo("2090-01-01T02:00:00Z");
            json.assertThat().doesNotHavePath("$.progress");
            json.assertThat().doesNotHavePath("$.job.result");
        });
        assertThat(get("/jobs?label=" + "x".repeat(41))).hasStatus(400);
    }

    @Test
    void job_showsTheProgressAndTheLinesOfItsAttempt_andInTheEndItsResultAndItsLines() throws Exception {
        JobId id = jobs.schedule(Orders::count).now().id();

        // A heartbeat may tell the progress, and only the next heartbeat the line.
        await().atMost(ofSeconds(30))
                .untilAsserted(() -> assertThat(get("/jobs/" + id)).bodyJson().satisfies(json -> {
                    json.assertThat().extractingPath("$.progress.done").isEqualTo(40);
                    json.assertThat().extractingPath("$.progress.total").isEqualTo(100);
                    json.assertThat().extractingPath("$.progress.note").isEqualTo("January");
                    json.assertThat().extractingPath("$.log.attempt").isEqualTo(1);
                    json.assertThat().extractingPath("$.log.lines[0].message").isEqualTo("read January");
                    json.assertThat().doesNotHavePath("$.job.result");
                }));
        orders.counted.countDown();
        ends.await(id);

        assertThat(get("/jobs/" + id)).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.job.state").isEqualTo("FINISHED");
            json.assertThat().extractingPath("$.log.lines[0].message").isEqualTo("read January");
            json.assertThat().doesNotHavePath("$.progress");
            json.assertThat().doesNotHavePath("$.job.result");
        });
        assertThat(mvc.get()
                        .uri("/actuator/delayjobs/jobs/" + id)
                        .with(user("ops").roles("OPS")))
                .bodyJson()
                .extractingPath("$.job.result")
                .isEqualTo("{\"orders\":100}");
    }

    @Test
    void job_showsItsNeighboursInItsChain() throws Exception {
        ScheduledChain chain = jobs.schedule(Orders::fragile)
                .with(1L)
                .then("elsewhere")
                .thenAlways("clean-up")
                .startAfter(ofHours(1));
        String first = chain.first().id().toString();
        List<String> followers = chain.followers().stream().map(JobId::toString).toList();

        assertThat(get("/jobs/" + first)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().doesNotHavePath("$.chain.follows");
            json.assertThat().extractingPath("$.chain.then[*].id").isEqualTo(followers);
            json.assertThat().extractingPath("$.chain.then[*].name").isEqualTo(List.of("elsewhere", "clean-up"));
            json.assertThat().extractingPath("$.chain.then[*].always").isEqualTo(List.of(false, true));
            json.assertThat().extractingPath("$.chain.then[*].written").isEqualTo(List.of(false, false));
        });
        assertThat(get("/jobs/" + followers.get(0))).hasStatus(404);

        orders.fails = false;
        jobs.reschedule(chain.first().id(), Duration.ZERO);
        ends.await(chain.first().id());

        assertThat(get("/jobs/" + first)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.chain.then.length()").isEqualTo(1);
            json.assertThat().extractingPath("$.chain.then[0].id").isEqualTo(followers.get(0));
            json.assertThat().extractingPath("$.chain.then[0].written").isEqualTo(true);
        });
        assertThat(get("/jobs/" + followers.get(0))).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.chain.follows").isEqualTo(first);
            json.assertThat().extractingPath("$.chain.then[0].id").isEqualTo(followers.get(1));
        });
        jobs.cancel(chain.followers().get(0));
        assertThat(get("/jobs/" + followers.get(0))).bodyJson().doesNotHavePath("$.chain.then");
    }

    @Test
    void jobs_comeInPages() {
        List<String> ids = Stream.generate(() -> jobs.schedule("paged").after(ofHours(1)))
                .limit(2)
                .map(scheduled -> scheduled.id().toString())
                .sorted()
                .toList();
        assertThat(get("/jobs?name=paged&limit=1")).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.jobs[*].id").isEqualTo(List.of(ids.get(0)));
            json.assertThat().extractingPath("$.next").isEqualTo(ids.get(0));
        });
        assertThat(get("/jobs?name=paged&limit=1&after=" + ids.get(0)))
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(ids.get(1)));
    }

    @Test
    void jobs_comeInTheOrderThatIsAskedFor() {
        JobId later = jobs.schedule("ordered").after(ofHours(2)).id();
        JobId sooner = jobs.schedule("ordered").after(ofHours(1)).id();
        List<String> byId =
                Stream.of(later.toString(), sooner.toString()).sorted().toList();
        List<String> byDueTime = List.of(sooner.toString(), later.toString());

        assertThat(get("/jobs?name=ordered"))
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(byId);
        assertThat(get("/jobs?name=ordered&order=NEWEST"))
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(byId.get(1), byId.get(0)));
        assertThat(get("/jobs?name=ordered&order=due&state=DELAYED&queue=default"))
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat().extractingPath("$.jobs[*].id").isEqualTo(byDueTime);
                    json.assertThat().extractingPath("$.complete").isEqualTo(true);
                    json.assertThat().extractingPath("$.lookedAt").asNumber().isNotNull();
                    json.assertThat().extractingPath("$.took").asString().startsWith("PT");
                });
        Instant between = jobs.find(sooner).orElseThrow().dueAt().plusMillis(1);
        assertThat(get("/jobs?name=ordered&order=DUE&from=" + between))
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(later.toString()));
    }

    @Test
    void around_listsBothSidesOfThePresentMomentWithoutPayloads() throws Exception {
        String ended = failed(46).toString();
        // Nobody runs this name, so that the job stays ready; no job of another test is due as early.
        String ready = jobs.schedule("nobody-around").at(Instant.EPOCH).id().toString();
        String next = jobs.schedule("nobody-around")
                .with(Map.of("n", 7))
                .after(Duration.ofMinutes(5))
                .id()
                .toString();

        assertThat(get("/around")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.ended.jobs[*].id").asArray().contains(ended);
            json.assertThat().extractingPath("$.ready.jobs[*].id").asArray().contains(ready);
            json.assertThat().extractingPath("$.next.jobs[*].id").asArray().contains(next);
            json.assertThat().extractingPath("$.running.jobs").asArray().isNotNull();
            json.assertThat().doesNotHavePath("$.next.jobs[0].payload");
            json.assertThat().hasPath("$.at");
        });
        assertThat(get("/around?limit=2")).hasStatus(400);
        jobs.cancel(JobId.parse(ready));
        jobs.cancel(JobId.parse(next));
    }

    @Test
    void pulse_tellsWhatHasStartedSinceTheLastOne() throws Exception {
        JsonNode before = JSON.readTree(get("/pulse").getResponse().getContentAsString());
        String id = failed(44).toString();

        assertThat(get("/pulse?after=" + before.get("next").asString()))
                .hasStatusOk()
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat().extractingPath("$.starts[*].id").asArray().contains(id);
                    json.assertThat()
                            .extractingPath("$.starts[0].lateMillis")
                            .asNumber()
                            .isNotNull();
                    json.assertThat().extractingPath("$.startsLeftOut").isEqualTo(0);
                    json.assertThat().extractingPath("$.engine.running").isEqualTo(true);
                    json.assertThat().extractingPath("$.instances[0].self").isEqualTo(true);
                    json.assertThat().hasPath("$.jobs.DELAYED");
                    json.assertThat().hasPath("$.countedAt");
                });
        assertThat(get("/pulse?after=of-another.instance&wheel=true"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.wheel.levels.length()")
                .asNumber()
                .satisfies(levels -> assertThat(levels.intValue()).isPositive());
    }

    @Test
    void minutes_countWhatHappened() throws Exception {
        failed(45);
        Instant from = Instant.now().minusSeconds(600);
        assertThat(get("/minutes?from=" + from + "&step=1h&until=" + from.plusSeconds(3600)))
                .hasStatusOk()
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat().extractingPath("$.step").isEqualTo("PT1H");
                    json.assertThat().extractingPath("$.retention").isEqualTo("PT168H");
                    json.assertThat().extractingPath("$.bounds.length()").isEqualTo(13);
                    json.assertThat().extractingPath("$.bounds[0]").isEqualTo("PT0.001S");
                    json.assertThat().extractingPath("$.starts.length()").isEqualTo(2);
                    json.assertThat().extractingPath("$.late[0].length()").isEqualTo(14);
                    json.assertThat()
                            .extractingPath("$.handlers[?(@.name=='fragile')].late.length()")
                            .isEqualTo(List.of(14));
                    json.assertThat()
                            .extractingPath("$.handlers[?(@.name=='fragile')].runTime")
                            .asArray()
                            .hasSize(1);
                });
    }

    @Test
    void due_countsWhatComesDueByHandler() {
        Instant due = Instant.parse("2031-01-01T00:00:30Z");
        jobs.schedule("due-then").at(due);
        jobs.schedule("due-then").at(due.plusSeconds(60));

        assertThat(get("/due?from=2031-01-01T00:00:59Z&width=1m&buckets=3"))
                .hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"from":"2031-01-01T00:00:00Z","width":"PT1M","lookedAt":2,"due":[1,1,0],
                        "precision":["EXACT","EXACT","EXACT"],"handlers":[{"name":"due-then","due":[1,1,0]}]}
                        """);
        assertThat(get("/due")).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.due.length()").isEqualTo(60);
            json.assertThat().extractingPath("$.width").isEqualTo("PT1M");
        });
    }

    @Test
    void failures_areGrouped() throws Exception {
        Instant before = Instant.now().minusSeconds(3600);
        JobId newest = failed(43);
        assertThat(get("/failures?since=" + before)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat()
                    .extractingPath("$.groups[?(@.name=='fragile')].error")
                    .isEqualTo(List.of("java.lang.IllegalStateException"));
            json.assertThat()
                    .extractingPath("$.groups[?(@.name=='fragile')].newest")
                    .isEqualTo(List.of(newest.toString()));
            json.assertThat().extractingPath("$.groups[0].buckets.length()").isEqualTo(24);
            json.assertThat().extractingPath("$.complete").isEqualTo(true);
            json.assertThat().extractingPath("$.retention").isEqualTo("PT720H");
        });
    }

    @Test
    void deadLetters_areFoundByTheTypeOfTheirError() throws Exception {
        String id = failed(42).toString();
        assertThat(get("/jobs?state=FAILED&order=ENDED&limit=1&error=java.lang.IllegalStateException"))
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(id));
        assertThat(get("/jobs?state=FAILED&error=java.io.IOException"))
                .bodyJson()
                .extractingPath("$.jobs.length()")
                .isEqualTo(0);
    }

    @Test
    void deadLetters_comeInPagesInTheOrderOfTheirEnds() throws Exception {
        List<String> ids = new ArrayList<>();
        for (long orderId = 20; orderId < 23; orderId++) {
            ids.add(failed(orderId).toString());
        }
        List<String> walked = new ArrayList<>();
        String after = "";
        do {
            MvcTestResult page = get("/jobs?state=FAILED&name=fragile&limit=1" + after);
            assertThat(page).hasStatusOk();
            JsonNode body = JSON.readTree(page.getResponse().getContentAsString());
            body.get("jobs").forEach(job -> walked.add(job.get("id").asString()));
            after = body.has("next") ? "&after=" + body.get("next").asString() : "";
        } while (!after.isEmpty());
        assertThat(walked).doesNotHaveDuplicates().containsSubsequence(ids);
    }

    @Test
    void job_isShownWithItsErrorsAndAttempts() throws Exception {
        JobId id = failed(4);
        assertThat(get("/jobs/" + id)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.job.state").isEqualTo("FAILED");
            json.assertThat()
                    .extractingPath("$.job.error")
                    .isEqualTo("java.lang.IllegalStateException: order 4 is locked");
            json.assertThat().extractingPath("$.stackTrace").asString().contains("EndpointApplication");
            json.assertThat().extractingPath("$.attempts[0].outcome").isEqualTo("FAILED");
            json.assertThat()
                    .extractingPath("$.attempts[0].stackTrace")
                    .asString()
                    .contains("EndpointApplication");
            json.assertThat().extractingPath("$.job.errorType").isEqualTo("java.lang.IllegalStateException");
            json.assertThat().doesNotHavePath("$.job.payload");
        });
    }

    @Test
    void unfinishedJob_tellsWhyItDoesNotRunAndWhatComesNext() {
        JobId id = jobs.schedule("unheard-of")
                .repeat(Repeat.offsets(ofHours(1), ofHours(2), ofHours(4)))
                .id();
        Instant first = jobs.find(id).orElseThrow().plannedAt();
        assertThat(get("/jobs/" + id)).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat()
                    .extractingPath("$.why[*].check")
                    .asArray()
                    .startsWith("DUE", "HANDLER", "PAUSED", "INSTANCE");
            json.assertThat().extractingPath("$.why[0].holds").isEqualTo(false);
            json.assertThat().extractingPath("$.why[0].says").asString().startsWith("The job is due in ");
            json.assertThat().extractingPath("$.why[1].holds").isEqualTo(false);
            json.assertThat().extractingPath("$.why[3].says").isEqualTo("1 instance serves queue 'default'.");
            json.assertThat()
                    .extractingPath("$.next")
                    .asArray()
                    .containsExactly(
                            first.plus(ofHours(1)).toString(),
                            first.plus(ofHours(3)).toString());
        });
    }

    @Test
    void unfinishedJobOfAHandlerHere_hasOne() {
        assertThat(get("/jobs/" + waiting(42))).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.why[1].holds").isEqualTo(true);
            json.assertThat().doesNotHavePath("$.next");
        });
    }

    @Test
    void endedJob_isNotAskedWhyItDoesNotRun() throws Exception {
        assertThat(get("/jobs/" + failed(43))).bodyJson().satisfies(json -> {
            json.assertThat().doesNotHavePath("$.why");
            json.assertThat().doesNotHavePath("$.next");
        });
    }

    @Test
    void endedJob_tellsHowLateItsHandlerWasCalled() throws Exception {
        Job job = jobs.find(failed(41)).orElseThrow();
        long late = Duration.between(job.dueAt(), job.calledAt()).toMillis();
        assertThat(late).isNotNegative();
        assertThat(get("/jobs/" + job.id())).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat()
                    .extractingPath("$.job.calledAt")
                    .isEqualTo(job.calledAt().toString());
            for (String path : List.of("$.job.lateMillis", "$.attempts[0].lateMillis")) {
                json.assertThat()
                        .extractingPath(path)
                        .asNumber()
                        .satisfies(millis -> assertThat(millis.longValue()).isEqualTo(late));
            }
        });
    }

    @Test
    void payload_isShownToTheAuthorized() {
        JobId id = waiting(5);
        assertThat(mvc.get()
                        .uri("/actuator/delayjobs/jobs/" + id)
                        .with(user("ann").roles("OPS")))
                .bodyJson()
                .extractingPath("$.job.payload")
                .isEqualTo("{\"orderId\":5}");
        assertThat(mvc.get()
                        .uri("/actuator/delayjobs/jobs/" + id)
                        .with(user("bob").roles("USER")))
                .bodyJson()
                .doesNotHavePath("$.job.payload");
    }

    @Test
    void payloads_areSearchedByThoseWhoMaySeeThem() {
        JobId id = waiting(7_000_005);
        waiting(7_000_006);
        String search = "/actuator/delayjobs/jobs?state=DELAYED&payload=:7000005";
        assertThat(mvc.get().uri(search).with(user("ann").roles("OPS")))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.jobs[*].id")
                .isEqualTo(List.of(id.toString()));
        String reason = "Payloads are hidden from you, so you cannot search in them: "
                + "delayjob.endpoint.show-payloads is when-authorized, and you are not authorized.";
        assertThat(mvc.get().uri(search).with(user("bob").roles("USER")))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo(reason);
        assertThat(mvc.post()
                        .uri("/actuator/delayjobs/jobs")
                        .with(user("bob").roles("USER"))
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(
                                "{\"action\":\"cancel\",\"state\":\"DELAYED\",\"payload\":\":7000005\",\"seen\":\"%s\"}"
                                        .formatted(Instant.now().plusSeconds(60))))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo(reason);
        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void job_isCancelledOnce(CapturedOutput output) {
        JobId id = waiting(6);
        MvcTestResult cancelled = mvc.delete()
                .uri("/actuator/delayjobs/jobs/" + id)
                .with(user("ann"))
                .exchange();
        assertThat(cancelled)
                .hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("{\"id\":\"%s\",\"result\":\"CANCELLED\"}".formatted(id));
        assertThat(output).contains("Job " + id + ": 'cancel' by 'ann'. The result: CANCELLED.");
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.CANCELLED);
        assertThat(delete(id.toString()))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("CANCELLED");
    }

    @Test
    void jobThatHasEnded_cannotBeCancelled() throws Exception {
        assertThat(delete(failed(7).toString()))
                .hasStatus(409)
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("ALREADY_ENDED");
    }

    @Test
    void failedJob_isRetried(CapturedOutput output) throws Exception {
        JobId id = failed(8);
        orders.fails = false;
        assertThat(post(id, "{\"action\":\"retry\"}"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("CHANGED");
        ends.await(id);
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
        assertThat(output).contains("Job " + id + ": 'retry'").contains("by anonymous. The result: CHANGED.");
        assertThat(post(id, "{\"action\":\"retry\"}"))
                .hasStatus(409)
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("ALREADY_ENDED");
    }

    @Test
    void jobThatWaits_isNotRetried() {
        assertThat(post(waiting(12), "{\"action\":\"retry\"}"))
                .hasStatus(409)
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("WAITING");
    }

    @Test
    void failedJobWhoseKeyIsTaken_isNotRetried() throws Exception {
        orders.fails = true;
        JobId id = jobs.schedule(Orders::fragile).with(13L).key("13").now().id();
        ends.await(id);
        jobs.schedule(Orders::fragile).with(13L).key("13").after(ofHours(1));
        assertThat(post(id, "{\"action\":\"retry\"}"))
                .hasStatus(409)
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("KEY_IN_USE");
    }

    @Test
    void pages_leadThroughAllJobsOnce() {
        jobs.schedule(Orders::cancel)
                .withEach(LongStream.range(100, 125).boxed().toList())
                .queue("pages")
                .after(ofHours(1));
        List<String> walked = new ArrayList<>();
        String after = "";
        do {
            String[] next = {""};
            assertThat(get("/jobs?name=cancel-order&state=DELAYED&limit=10" + after))
                    .hasStatusOk()
                    .bodyJson()
                    .satisfies(json -> {
                        JsonNode page = JSON.readTree(json.getJson());
                        page.get("jobs").forEach(job -> walked.add(job.get("id").asString()));
                        assertThat(page.get("jobs").size()).isLessThanOrEqualTo(10);
                        next[0] = page.path("next").asString("");
                    });
            after = next[0].isEmpty() ? "" : "&after=" + next[0];
        } while (!after.isEmpty());
        assertThat(walked).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(25);
    }

    @Test
    void waitingJob_isRunNow(CapturedOutput output) throws Exception {
        orders.fails = false;
        JobId id = waiting(9);
        assertThat(post(id, "{\"action\":\"run\"}")).hasStatusOk();
        assertThat(output).contains("Job " + id + ": 'run' by anonymous. The result: CHANGED.");
        ends.await(id);
        assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
    }

    @Test
    void waitingJob_isRescheduled() {
        JobId id = waiting(10);
        Instant before = jobs.find(id).orElseThrow().dueAt();
        assertThat(post(id, "{\"action\":\"reschedule\",\"delay\":\"2h\"}")).hasStatusOk();
        assertThat(Duration.between(before, jobs.find(id).orElseThrow().dueAt()))
                .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(70));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                          | The action is missing: send "action", which must be run, retry or reschedule.
            {"action":"explode"}                        | Invalid action 'explode': must be run, retry or reschedule.
            {"action":"reschedule"}                     | Action reschedule needs a delay, such as "2h".
            {"action":"reschedule","delay":"soon"}      | Invalid duration 'soon'
            {"action":"reschedule","delay":"-5s"}       | Invalid delay '-5s': must be zero or more
            {"action":"reschedule","delay":"9999999d"}  | 9,999 years
            {"action":"run","delay":"2h"}               | Invalid delay '2h': 'run' makes the job due now; to postpone the job, use the action 'reschedule'.
            {"action":"retry","delay":"2h"}             | Invalid delay '2h': 'retry' makes the job due now
            {"actoin":"run"}                            | Unknown parameter 'actoin': must be one of action, delay, reason.
            """)
    void badChange_isAnsweredWithTheReason(String body, String reason) {
        assertThat(post(waiting(11), body))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /jobs?state=DONE           | Invalid state 'DONE': must be one of [DELAYED, READY, RUNNING
            /jobs?limit=0              | Invalid limit '0': must be a number from 1 to 500; for more, send after=
            /jobs?limit=501            | Invalid limit '501'
            /jobs?limit=many           | Invalid limit 'many': must be a number from 1 to 500
            /jobs?after=here           | Invalid after 'here': must be the 'next' of a page with the same filters and order.
            /jobs?state=FAILED&after=018f0000-0000-7000-8000-000000000001 | must be the 'next' of a page with the same filters
            /jobs/42                   | Invalid job id '42': must be a UUID, such as the ids that GET jobs shows.
            /jobs?states=FAILED&max=1  | Unknown parameter 'max', 'states': must be one of state, name, key, queue, error, label, group, payload, from, until, order, limit, after.
            /jobs?order=LATEST         | Invalid order 'LATEST': must be one of [OLDEST, NEWEST, DUE, ENDED].
            /jobs?order=DUE&state=FAILED | Invalid order 'DUE' with state=FAILED: DUE applies only to unfinished jobs
            /jobs?from=today           | Invalid from 'today': must be an instant in UTC of the years 1 to 9999, such as 2030-01-01T08:00:00Z.
            /minutes?from=2030-01-01T08:00:00Z&from=2031-01-01T08:00:00Z | Repeated parameter 'from': state each parameter once, with one value.
            /jobs?state=FAILED&state=READY | Repeated parameter 'state'
            /jobs?request=1            | Unknown parameter 'request'
            /jobs?caller=ann           | Unknown parameter 'caller'
            /minutes                   | The parameter from is missing: it must be an instant
            /minutes?from=2030-01-01T08:00:00Z&step=90s | Invalid step '90s': must be whole minutes from 1m to 1d.
            /minutes?from=2030-01-01T08:00:00Z&step=2d  | Invalid step '2d': must be whole minutes from 1m to 1d.
            /minutes?from=2030-01-01T08:00:00Z&until=2030-01-01T10:49:00Z | Invalid step '1m': must divide the span into at most 168 buckets, but makes 169
            /minutes?from=2030-01-01T08:00:00Z&until=2029-01-01T08:00:00Z | must be earlier than until (2029-01-01T08:00:00Z).
            /minutes?from=2030-01-01T08:00:00Z&width=1m | Unknown parameter 'width': must be one of from, until, step.
            /due?width=2d              | Invalid width '2d': must be from 1s to 1d.
            /due?buckets=169           | Invalid buckets '169': must be a number from 1 to 168; for a longer span, use a greater width
            /failures                  | The parameter since is missing: it must be an instant
            /failures?since=2030-01-01T08:00:00Z&until=2029-01-01T08:00:00Z | must end later than it begins
            ?verbose=true              | Unknown parameter 'verbose': this request takes none.
            /handlers/cancel-order?x=1 | Unknown parameter 'x': this request takes none.
            /wheel?x=1                 | Unknown parameter 'x': this request takes none.
            /wheel?limit=1             | Unknown parameter 'limit': this request takes none.
            """)
    void badRequest_isAnsweredWithTheReason(String path, String reason) {
        assertThat(get(path))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(reason);
    }

    @Test
    void unknownThings_areNotFound() {
        String nobody = "018f0000-0000-7000-8000-000000000001";
        assertThat(get("/jobs/" + nobody))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(nobody);
        assertThat(delete(nobody))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(nobody);
        assertThat(post(JobId.parse(nobody), "{\"action\":\"run\"}"))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(nobody);
        assertThat(get("/gueues"))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo(
                        "Unknown section 'gueues': must be one of jobs, jobs/{id}, around, pulse, minutes, due, failures, handlers, handlers/{name}, queues, queues/{name}, groups, groups/{name}, wheel, instances.");
        assertThat(get("/handlers/cancel-odrer"))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("This instance has no handler 'cancel-odrer'. GET handlers lists the handlers of "
                        + "all instances.");
        assertThat(get("/queues/bulk"))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("Unknown queue 'bulk'. GET queues lists all queues.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_csrf", "access_token"})
    void whatSpringSecurityReads_isNoUnknownParameter(String parameter) {
        assertThat(get("/jobs?" + parameter + "=abc")).hasStatusOk();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume"})
    void pauseOfWhatNobodyKnows_isNotFoundAndSaysWhatThereIs(String action) {
        assertThat(postTo("/handlers/cancel-odrer", "{\"action\":\"%s\"}".formatted(action)))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("Unknown handler 'cancel-odrer': no instance has a handler of that name, and no "
                        + "waiting job has that name. The handlers are 'cancel-order', 'count-orders', "
                        + "'drop-order', 'fragile', 'tenant-report'.");
        assertThat(postTo("/queues/defualt", "{\"action\":\"%s\"}".formatted(action)))
                .hasStatus(404)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains("it holds no unfinished job. The queues are 'default'");
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @Test
    void handlerOfAnotherInstance_isPausedAndListed() {
        long number = store.instances().register("mails#1", Set.of("mail"), Set.of(Set.of("send-mail")));
        try {
            assertThat(get("/handlers"))
                    .bodyJson()
                    .extractingPath("$.elsewhere")
                    .isEqualTo(List.of("send-mail"));
            assertThat(postTo("/handlers/send-mail", "{\"action\":\"pause\"}")).hasStatusOk();
            assertThat(postTo("/handlers/send-mail", "{\"action\":\"resume\"}")).hasStatusOk();
            assertThat(get("/queues/mail"))
                    .hasStatusOk()
                    .bodyJson()
                    .extractingPath("$.handlers")
                    .isEqualTo(List.of());
        } finally {
            store.instances().deregister(number);
        }
    }

    private MvcTestResult postTo(String path, String body) {
        return mvc.post()
                .uri("/actuator/delayjobs" + path)
                .with(user("ann"))
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    @Test
    void handler_isPausedAndResumed(CapturedOutput output) {
        assertThat(postTo("/handlers/cancel-order", "{\"action\":\"pause\"}"))
                .hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("{\"name\":\"cancel-order\",\"result\":\"PAUSED\",\"notHeardBy\":[]}");
        assertThat(get("/instances"))
                .bodyJson()
                .extractingPath("$.instances[0].pausesHeard")
                .isEqualTo(true);
        assertThat(output).contains("Handler 'cancel-order': 'pause' by 'ann'. The result: PAUSED.");
        assertThat(get("")).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.paused.handlers").asArray().contains("cancel-order");
            json.assertThat().extractingPath("$.paused.queues").asArray().isEmpty();
        });
        assertThat(get("/handlers")).bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.paused.handlers").asArray().contains("cancel-order");
            json.assertThat().extractingPath("$.handlers[0].paused").isEqualTo(true);
            json.assertThat().extractingPath("$.handlers[1].paused").isEqualTo(false);
        });
        JobId id = waiting(14);
        assertThat(get("/jobs/" + id)).bodyJson().extractingPath("$.job.paused").isEqualTo(true);
        assertThat(get("/jobs?key=14"))
                .bodyJson()
                .extractingPath("$.jobs[0].paused")
                .isEqualTo(true);
        jobs.cancel(id);
        assertThat(get("/jobs/" + id)).bodyJson().extractingPath("$.job.paused").isEqualTo(false);
        assertThat(get("/handlers/drop-order")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.name").isEqualTo("cancel-order");
            json.assertThat().extractingPath("$.paused").isEqualTo(true);
        });
        assertThat(postTo("/handlers/cancel-order", "{\"action\":\"pause\"}")).hasStatusOk();
        assertThat(output).contains("PAUSED, as before.");

        assertThat(postTo("/handlers/cancel-order", "{\"action\":\"resume\"}"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.result")
                .isEqualTo("RESUMED");
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @Test
    void queue_isPausedAndResumed(CapturedOutput output) {
        assertThat(postTo("/queues/default", "{\"action\":\"pause\",\"reason\":\"the database moves\"}"))
                .hasStatusOk();
        assertThat(output)
                .contains("Queue 'default': 'pause' {reason=the database moves} by 'ann'. The result: PAUSED.");
        for (String path : List.of("/queues", "/handlers", "")) {
            assertThat(get(path)).as(path).bodyJson().satisfies(json -> {
                json.assertThat().extractingPath("$.paused.details.length()").isEqualTo(1);
                json.assertThat().extractingPath("$.paused.details[0].kind").isEqualTo("QUEUE");
                json.assertThat().extractingPath("$.paused.details[0].name").isEqualTo("default");
                json.assertThat().extractingPath("$.paused.details[0].by").isEqualTo("ann");
                json.assertThat().hasPath("$.paused.details[0].since");
                json.assertThat().extractingPath("$.paused.details[0].reason").isEqualTo("the database moves");
            });
        }
        assertThat(get("/handlers"))
                .bodyJson()
                .extractingPath("$.handlers[1].paused")
                .isEqualTo(true);
        assertThat(get("/jobs/" + waiting(15)))
                .bodyJson()
                .extractingPath("$.job.paused")
                .isEqualTo(true);
        assertThat(get("/queues/default")).bodyJson().extractingPath("$.paused").isEqualTo(true);
        assertThat(postTo("/queues/default", "{\"action\":\"resume\"}")).hasStatusOk();
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /handlers/cancel-order | {}                   | The action is missing: send "action", which must be pause or resume.
            /handlers/cancel-order | {"action":"stop"}    | Invalid action 'stop': must be pause or resume.
            /queues/a:b            | {"action":"pause"}   | Invalid queue 'a:b'
            /queues/default        | {"action":"resume","reason":"x"} | Invalid reason: only a pause can have a reason. Leave out the reason.
            /queues/default        | {"action":"pause","delay":"2h"} | Invalid delay '2h': 'pause' and 'resume' take effect at once, and a pause lasts until 'resume'; remove the delay.
            """)
    void badPause_isAnsweredWithTheReason(String path, String body, String reason) {
        assertThat(postTo(path, body))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.reason")
                .asString()
                .contains(reason);
        assertThat(jobs.paused().isEmpty()).isTrue();
    }

    @Test
    void handlers_areListedWithJobsThatHaveNone() {
        jobs.schedule("elsewhere").now();
        assertThat(get("/handlers")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.handlers[0].name").isEqualTo("cancel-order");
            json.assertThat().extractingPath("$.handlers[0].formerNames[0]").isEqualTo("drop-order");
            json.assertThat().extractingPath("$.handlers[0].parameters.orderId").isEqualTo("long");
            json.assertThat().extractingPath("$.handlers[0].timeout").isEqualTo("PT30S");
            json.assertThat().extractingPath("$.handlers[0].concurrency").isEqualTo(2);
            json.assertThat().extractingPath("$.handlers[0].scope").isEqualTo("CLUSTER");
            json.assertThat().doesNotHavePath("$.handlers[1].scope");
            json.assertThat().extractingPath("$.handlers[0].rate").isEqualTo("5000/s, burst 500");
            json.assertThat().doesNotHavePath("$.handlers[1].rate");
            for (String rule : List.of("rateBy", "mutex", "fairBy")) {
                json.assertThat().extractingPath("$.handlers[3]." + rule).isEqualTo(true);
                json.assertThat().doesNotHavePath("$.handlers[0]." + rule);
            }
            json.assertThat().extractingPath("$.handlers[3].expiresAfter").isEqualTo("PT1H");
            json.assertThat().extractingPath("$.handlers[3].keepFor").isEqualTo("PT2160H");
            json.assertThat()
                    .extractingPath("$.dueWithoutHandler.elsewhere")
                    .asNumber()
                    .isNotNull();
            json.assertThat().doesNotHavePath("$.handlers[1].timeout");
        });
    }

    @Test
    void wheelAndInstances_areShown() {
        List<JobId> ids = Stream.of("default", "rare", "rare")
                .map(queue -> jobs.schedule(Orders::cancel)
                        .with(7L)
                        .queue(queue)
                        .after(Duration.ofSeconds(9))
                        .id())
                .toList();
        // If the wheel's thread does not answer within a moment, the slots are not shown.
        await().untilAsserted(() -> assertThat(get("/wheel"))
                .hasStatusOk()
                .bodyJson()
                .satisfies(json -> {
                    json.assertThat()
                            .extractingPath("$.size")
                            .asNumber()
                            .satisfies(size -> assertThat(size.intValue()).isGreaterThanOrEqualTo(3));
                    json.assertThat().extractingPath("$.capacity").isEqualTo(500_000);
                    json.assertThat().extractingPath("$.window").isEqualTo("PT10S");
                    json.assertThat().hasPath("$.at");
                    json.assertThat().hasPath("$.nextDue");
                    json.assertThat().extractingPath("$.levels[2].slotWidth").isEqualTo("PT0.536870912S");
                    json.assertThat().hasPath("$.levels[2].position");
                    json.assertThat().hasPath("$.levels[2].into");
                    json.assertThat()
                            .extractingPath("$.levels[2:].slots[*][1]")
                            .asArray()
                            .as("jobs of both queues that are due in nine seconds")
                            .satisfies(timers -> assertThat(Stream.of(timers)
                                            .mapToInt(n -> (Integer) n)
                                            .sum())
                                    .isGreaterThanOrEqualTo(3));
                }));
        ids.forEach(jobs::cancel);
        assertThat(get("/instances")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.instances[0].state").isEqualTo("ALIVE");
            json.assertThat()
                    .extractingPath("$.instances[0].heartbeatAge")
                    .asString()
                    .startsWith("PT");
            json.assertThat().extractingPath("$.instances[0].self").isEqualTo(true);
            json.assertThat().extractingPath("$.instances[0].givenUpAfter").isEqualTo("PT10S");
            json.assertThat().hasPath("$.instances[0].vitals.since");
            json.assertThat().hasPath("$.instances[0].vitals.version");
            json.assertThat()
                    .extractingPath("$.instances[0].vitals.slots.default.concurrency")
                    .asNumber()
                    .isNotNull();
            json.assertThat()
                    .extractingPath("$.instances[0].vitals.late.length()")
                    .isEqualTo(14);
        });
    }

    @Test
    void queues_areShownWithTheirLimits() {
        jobs.schedule("far-away").queue("rare").after(ofHours(1));
        assertThat(get("/queues")).hasStatusOk().bodyJson().satisfies(json -> {
            json.assertThat().extractingPath("$.queues[*].name").asArray().contains("default", "rare");
            json.assertThat().extractingPath("$.queues[0].name").isEqualTo("default");
            json.assertThat().extractingPath("$.queues[0].enabled").isEqualTo(true);
            json.assertThat().extractingPath("$.queues[0].paused").isEqualTo(false);
            json.assertThat().extractingPath("$.queues[0].concurrency").isEqualTo(16);
            json.assertThat().extractingPath("$.queues[0].running").asNumber().isNotNull();
            json.assertThat().extractingPath("$.queues[0].claimed").asNumber().isNotNull();
            json.assertThat()
                    .extractingPath("$.queues[0].handlers")
                    .isEqualTo(List.of("cancel-order", "count-orders", "fragile", "tenant-report"));
            json.assertThat().hasPath("$.queues[0].partitions");
        });
    }
}
