package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the API does, by a real server. */
class RestApiTest {

    private static final String JOBS = "/delayjob/v1/jobs";

    private static final ApiServer server = ApiServer.start();

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ApiServer.Answer submit(String body, String... headers) {
        return server.post("submitter", JOBS, body, headers);
    }

    private static String submitted(String body) {
        return submit(body).text("id");
    }

    private static Job job(String id) {
        return server.store.find(JobId.parse(id)).orElseThrow();
    }

    @Test
    void post_schedulesAJobWithAllStatedValues() {
        ApiServer.Answer answer = submit("""
                {"name": "remind", "arguments": {"orderId": 42}, "key": "k-all", "ifExists": "FAIL", "after": "PT30M",
                 "queue": "mail", "retry": "gaps:PT10S,PT1M"}""");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("outcome")).isEqualTo("CREATED");
        assertThat(answer.text("state")).isEqualTo("DELAYED");
        assertThat(answer.json().has("followers")).isFalse();
        String id = answer.text("id");
        assertThat(answer.response().headers().firstValue("Location")).contains(JOBS + "/" + id);
        Job job = job(id);
        assertThat(job.name()).isEqualTo("remind");
        assertThat(job.payload()).isEqualTo("{\"orderId\":42}");
        assertThat(job.key()).isEqualTo("k-all");
        assertThat(job.partition().queue()).isEqualTo("mail");
        assertThat(job.retry()).isEqualTo("gaps:PT10S,PT1M");
        assertThat(Duration.between(job.scheduledAt(), job.dueAt())).isEqualTo(Duration.ofMinutes(30));
    }

    @Test
    void post_withKeys_storesThem_andRefusesAKeyWithoutARate() {
        String id = submitted("{\"name\":\"elsewhere\",\"mutex\":\"customer-7\",\"rateKey\":\"customer-7\"}");

        assertThat(job(id).mutex()).isEqualTo("customer-7");
        assertThat(job(id).rateKey()).isEqualTo("customer-7");
        assertThat(server.get("reader", JOBS + "/" + id).text("rateKey")).isEqualTo("customer-7");
        assertProblem(
                submit("{\"name\":\"remind\",\"arguments\":{\"orderId\":1},\"rateKey\":\"customer-7\"}"),
                422,
                "invalid-job");
    }

    @Test
    void post_withJobsThatFollow_writesTheFirstAndKeepsTheOthersInItsRow() {
        String key = UUID.randomUUID().toString();
        String body = """
                {"name": "elsewhere", "after": "PT1H", "then": [{"name": "remind"},
                 {"name": "elsewhere", "arguments": {"a": [1]}, "always": true}]}""";
        int before = server.jobs().size();

        ApiServer.Answer answer = submit(body, "Idempotency-Key", key);

        assertThat(answer.status()).isEqualTo(201);
        List<String> followers = followers(answer);
        assertThat(followers).hasSize(2).doesNotHaveDuplicates().doesNotContain(key);
        assertThat(server.jobs()).hasSize(before + 1);
        assertThat(job(key).extras().steps().stream()
                        .map(step -> "%s %s %s %s %s"
                                .formatted(step.id(), step.when(), step.name(), step.resultName(), step.payload())))
                .containsExactly(
                        followers.get(0) + " FINISHED remind orderId null",
                        followers.get(1) + " FINISHED_OR_FAILED elsewhere null {\"a\":[1]}");
        assertThat(followers(submit(body, "Idempotency-Key", key))).isEqualTo(followers);
        assertProblem(submit(body.replace("[1]", "[2]"), "Idempotency-Key", key), 422, "idempotency-key-reused");
    }

    @Test
    void post_withTooManyOrTooLongJobsThatFollow_isRefused() {
        int before = server.jobs().size();

        assertProblem(submit(chainOf(21, "")), 422, "invalid-job");
        assertProblem(submit(chainOf(20, "ü".repeat(900))), 413, "too-large");
        assertThat(server.jobs()).hasSize(before);
        assertThat(submit(chainOf(20, "\\u0078".repeat(900))).status())
                .as("a long body of short arguments, because each character is escaped")
                .isEqualTo(201);
    }

    private static String chainOf(int followers, String text) {
        String follower = "{\"name\":\"elsewhere\",\"arguments\":{\"a\":\"%s\"}}".formatted(text);
        return "{\"name\":\"elsewhere\",\"then\":[%s]}"
                .formatted(String.join(",", Collections.nCopies(followers, follower)));
    }

    private static List<String> followers(ApiServer.Answer answer) {
        return StreamSupport.stream(answer.json().path("followers").spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "json", "image/*;q=0.5, text/html"})
    void requestWhoseAnswerCouldNotBeSent_isRefusedBeforeItIsCarriedOut(String accept) {
        int before = server.jobs().size();

        assertProblem(
                submit("{\"name\":\"remind\",\"arguments\":{\"orderId\":1}}", "Accept", accept), 406, "not-acceptable");

        assertThat(server.jobs()).hasSize(before);
        assertThat(submit("{\"name\":\"remind\",\"arguments\":{\"orderId\":1}}", "Accept", "text/html, */*;q=0.1")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void post_takesAnInstantOrAScheduleOrNoTime() {
        assertThat(job(submitted("{\"name\":\"remind\",\"arguments\":{\"orderId\":1},\"at\":\"2040-01-01T00:00:00Z\"}"))
                        .dueAt())
                .isEqualTo(Instant.parse("2040-01-01T00:00:00Z"));
        assertThat(job(submitted("{\"name\":\"elsewhere\",\"repeat\":\"every:PT1H;times=3\"}"))
                        .schedule())
                .isEqualTo("every:PT1H;times=3");
        Job now = job(submitted("{\"name\":\"elsewhere\",\"arguments\":{\"any\":[1,2.50,{\"x\":null}]}}"));
        assertThat(now.dueAt()).isEqualTo(now.scheduledAt());
        assertThat(now.payload()).isEqualTo("{\"any\":[1,2.50,{\"x\":null}]}");
    }

    @Test
    void post_ofATakenKeyFollowsItsPolicy() {
        String body = "{\"name\":\"elsewhere\",\"key\":\"k-policy\",\"after\":\"PT1H\",\"ifExists\":\"%s\"}";
        String id = submitted(body.formatted("KEEP"));

        assertThat(submit(body.formatted("KEEP")).status()).isEqualTo(200);
        assertThat(submit(body.formatted("KEEP")).text("outcome")).isEqualTo("KEPT");
        assertThat(submit(body.formatted("REPLACE")).text("outcome")).isEqualTo("REPLACED");
        assertThat(submit(body.formatted("POSTPONE")).text("outcome")).isEqualTo("POSTPONED");
        ApiServer.Answer refused = submit(body.formatted("FAIL"));
        assertProblem(refused, 409, "key-exists");
        assertThat(refused.text("detail")).startsWith("Job 'elsewhere' with key 'k-policy' exists already");
        assertThat(submit(body.formatted("KEEP")).text("id")).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name":"remind"}                                                   | 422 | invalid-arguments
            {"name":"remind","arguments":{}}                                    | 422 | invalid-arguments
            {"name":"remind","arguments":{"orderId":"many"}}                    | 422 | invalid-arguments
            {"name":"remind","arguments":{"orderId":null}}                      | 422 | invalid-arguments
            {"name":"remind","arguments":{"orderId":1,"other":2}}               | 422 | invalid-arguments
            {"name":"remind","arguments":{"orderId":1e999999999}}               | 422 | invalid-arguments
            {"name":"elsewhere","after":"PT1H","at":"2040-01-01T00:00:00Z"}     | 422 | invalid-job
            {"name":"elsewhere","after":"soon"}                                 | 422 | invalid-job
            {"name":"elsewhere","after":"-PT1S"}                                | 422 | invalid-job
            {"name":"elsewhere","at":"tomorrow"}                                | 422 | invalid-job
            {"name":"elsewhere","repeat":"sometimes"}                           | 422 | invalid-job
            {"name":"elsewhere","retry":"sometimes"}                            | 422 | invalid-job
            {"name":"elsewhere","key":""}                                       | 422 | invalid-job
            {"name":"elsewhere","ifExists":"FAIL"}                              | 422 | invalid-job
            {"name":"elsewhere","queue":"a b"}                                  | 422 | invalid-job
            {"name":"elsewhere","then":[{}]}                                    | 422 | invalid-job
            {"name":"elsewhere","then":[null]}                                  | 422 | invalid-job
            {"name":"elsewhere","then":[{"name":"elsewhere"},{"name":""}]}      | 404 | not-found
            {"name":"elsewhere","then":[{"name":"hidden"}]}                     | 404 | not-found
            {"name":"elsewhere","then":[{"name":"remind","arguments":{"a":1}}]} | 422 | invalid-arguments
            {"name":"remind","then":[{"name":"elsewhere"}]}                     | 422 | invalid-arguments
            {"name":"elsewhere","then":[{"name":"elsewhere","url":"http://x"}]} | 400 | unreadable-request
            {"name":"elsewhere","then":[{"name":"elsewhere","always":"yes"}]}   | 400 | unreadable-request
            {"name":"elsewhere","then":{"name":"elsewhere"}}                    | 400 | unreadable-request
            {"arguments":{}}                                                    | 422 | invalid-job
            {"name":"elsewhere","unknown":1}                                    | 400 | unreadable-request
            {"name":"elsewhere","name":"remind"}                                | 400 | unreadable-request
            {"name":"elsewhere","ifExists":"PERHAPS"}                           | 400 | unreadable-request
            {"name":"elsewhere","ifExists":1}                                   | 400 | unreadable-request
            {"name":7}                                                          | 400 | unreadable-request
            {"name":"elsewhere"} {}                                             | 400 | unreadable-request
            [1,2]                                                               | 400 | unreadable-request
            null                                                                | 400 | unreadable-request
            {"name                                                              | 400 | unreadable-request
            {"name":"hidden"}                                                   | 404 | not-found
            {"name":"unknown"}                                                  | 404 | not-found
            """)
    void invalidPost_isRefused_andWritesNoJob(String body, int status, String type) {
        int before = server.jobs().size();

        ApiServer.Answer answer = submit(body);

        assertProblem(answer, status, type);
        assertThat(answer.text("detail")).doesNotContain("io.delayjob", "tools.jackson");
        assertThat(server.jobs()).hasSize(before);
    }

    private static void assertProblem(ApiServer.Answer answer, int status, String type) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.text("type")).isEqualTo("urn:delayjob:" + type);
        assertThat(answer.json().path("status").asInt()).isEqualTo(status);
        assertThat(answer.text("title")).isNotBlank();
        assertThat(answer.text("detail")).isNotBlank();
    }

    @Test
    void tooLongPost_isRefused_beforeAndAfterItIsParsed() {
        assertProblem(
                submit("{\"name\":\"elsewhere\",\"arguments\":{\"a\":\"" + "x".repeat(1_000) + "\"}}"),
                413,
                "too-large");
        assertProblem(
                submit("{\"name\":\"elsewhere\",\"arguments\":{\"a\":\"" + "x".repeat(300_000) + "\"}}"),
                413,
                "too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense"})
    void post_ofAnotherMediaType_isRefused(String type) {
        ApiServer.Answer answer = server.send(server.request("submitter", JOBS)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"elsewhere\"}")));

        assertProblem(answer, 415, "unsupported-media-type");
    }

    /** As a page of another site can send it, with the credentials that the browser keeps. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/00000000-0000-4000-8000-000000000000/retry"})
    void post_withoutAMediaType_isRefused(String path) {
        ApiServer.Answer answer =
                server.send(server.request("all", JOBS + path).POST(HttpRequest.BodyPublishers.noBody()));

        assertProblem(answer, 415, "unsupported-media-type");
        assertThat(answer.text("detail")).startsWith("Missing Content-Type");
    }

    @Test
    void idempotencyKey_becomesTheId_andARepeatedRequestFindsTheJobInEveryState() {
        String key = UUID.randomUUID().toString();
        String body = "{\"name\":\"remind\",\"arguments\":{\"orderId\":7},\"after\":\"PT1H\"}";

        ApiServer.Answer first = submit(body, "Idempotency-Key", key);
        ApiServer.Answer second = submit(body, "Idempotency-Key", '"' + key + '"');
        server.delete("changer", JOBS + "/" + key);
        ApiServer.Answer third = submit(body, "Idempotency-Key", key);

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("id")).isEqualTo(key);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.text("outcome")).isEqualTo("KEPT");
        assertThat(third.text("id")).isEqualTo(key);
        assertThat(third.text("outcome")).isEqualTo("KEPT");
        assertThat(third.text("state")).isEqualTo("CANCELLED");
        assertProblem(
                submit(
                        body.replace("7", "8"),
                        "Idempotency-Key",
                        UUID.randomUUID().toString().substring(1)),
                400,
                "invalid-idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPLACE", "POSTPONE"})
    void idempotencyKey_isRefusedTogetherWithReplaceOrPostpone(String change) {
        String body = "{\"name\":\"elsewhere\",\"key\":\"k-changed\",\"after\":\"PT1H\",\"ifExists\":\"%s\"}"
                .formatted(change);

        ApiServer.Answer refused =
                submit(body, "Idempotency-Key", UUID.randomUUID().toString());

        assertProblem(refused, 422, "invalid-job");
        assertThat(refused.text("detail")).contains("must come without " + change);
        assertThat(submit(body).status()).isIn(200, 201);
    }

    @Test
    void idempotencyKey_withOtherContent_isRefusedWithoutShowingTheJob() {
        String key = UUID.randomUUID().toString();
        submit("{\"name\":\"remind\",\"arguments\":{\"orderId\":123456},\"after\":\"PT1H\"}", "Idempotency-Key", key);

        ApiServer.Answer refused = submit(
                "{\"name\":\"remind\",\"arguments\":{\"orderId\":8},\"after\":\"PT1H\"}", "Idempotency-Key", key);

        assertProblem(refused, 422, "idempotency-key-reused");
        assertThat(refused.text()).doesNotContain("123456");
    }

    @Test
    void get_showsAJobWithoutItsArguments() {
        String id = submitted(
                "{\"name\":\"remind\",\"arguments\":{\"orderId\":987654},\"key\":\"k-get\",\"after\":\"PT1H\"}");

        ApiServer.Answer answer = server.get("reader", JOBS + "/" + id);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("id")).isEqualTo(id);
        assertThat(answer.text("key")).isEqualTo("k-get");
        assertThat(answer.text("state")).isEqualTo("DELAYED");
        assertThat(Instant.parse(answer.text("dueAt"))).isEqualTo(job(id).dueAt());
        assertThat(answer.text()).doesNotContain("987654");
        assertProblem(server.get("reader", JOBS + "/" + UUID.randomUUID()), 404, "not-found");
        assertProblem(server.get("reader", JOBS + "/no-id"), 404, "not-found");
    }

    @Test
    void get_pagesThroughTheJobsOfOneName() {
        for (int i = 0; i < 5; i++) {
            submitted(
                    "{\"name\":\"elsewhere\",\"key\":\"page-%d\",\"queue\":\"pages\",\"after\":\"PT5H\"}".formatted(i));
        }
        String path = JOBS + "?name=elsewhere&state=DELAYED&limit=2";
        long seen = 0;
        String next = "";
        do {
            ApiServer.Answer page = server.get("reader", path + (next.isEmpty() ? "" : "&after=" + next));
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.json().path("jobs").size()).isLessThanOrEqualTo(2);
            seen += StreamSupport.stream(page.json().path("jobs").spliterator(), false)
                    .filter(job -> job.path("key").asString().startsWith("page-"))
                    .count();
            next = page.text("next");
        } while (!next.isEmpty());
        assertThat(seen).isEqualTo(5);
        assertThat(server.get("reader", JOBS + "?name=elsewhere&key=page-3")
                        .json()
                        .path("jobs"))
                .hasSize(1);
    }

    @Test
    void get_findsTheJobsOfALabel() {
        String id = submitted("{\"name\":\"elsewhere\",\"labels\":[\"customer:7\",\"web\"],\"after\":\"PT1H\"}");
        submitted("{\"name\":\"elsewhere\",\"labels\":[\"customer:77\"],\"after\":\"PT1H\"}");

        JsonNode found = server.get("reader", JOBS + "?name=elsewhere&label=customer:7")
                .json()
                .path("jobs");

        assertThat(found).extracting(job -> job.path("id").asString()).containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 400, unreadable-request",
        "?name=remind&limit=0, 422, invalid-job",
        "?name=remind&limit=501, 422, invalid-job",
        "?name=remind&limit=many, 400, unreadable-request",
        "?name=remind&state=LOST, 400, unreadable-request",
        "?name=remind&after=nowhere, 422, invalid-job",
        "?name=remind&label=%20, 422, invalid-job",
        "?name=hidden, 404, not-found",
    })
    void invalidGet_isRefused(String query, int status, String type) {
        assertProblem(server.get("reader", JOBS + query), status, type);
    }

    @Test
    void patch_movesAWaitingJob_andSaysWhyItDoesNotMoveOthers() {
        String id = submitted("{\"name\":\"elsewhere\",\"after\":\"PT1H\"}");

        ApiServer.Answer moved = server.patch("changer", JOBS + "/" + id, "{\"at\":\"2041-01-01T00:00:00Z\"}");
        assertThat(moved.status()).isEqualTo(200);
        assertThat(moved.text("result")).isEqualTo("CHANGED");
        assertThat(job(id).dueAt()).isEqualTo(Instant.parse("2041-01-01T00:00:00Z"));
        assertThat(server.patch("changer", JOBS + "/" + id, "{\"after\":\"PT2H\"}")
                        .status())
                .isEqualTo(200);
        assertProblem(server.patch("changer", JOBS + "/" + id, "{}"), 422, "invalid-job");
        server.claim(id);
        ApiServer.Answer running = server.patch("changer", JOBS + "/" + id, "{\"after\":\"PT2H\"}");
        assertProblem(running, 409, "unchanged");
        assertThat(running.text("result")).isEqualTo("RUNNING");
    }

    @Test
    void delete_cancelsByIdAndByKey() {
        String id = submitted("{\"name\":\"elsewhere\",\"after\":\"PT1H\"}");
        submitted("{\"name\":\"elsewhere\",\"key\":\"k/del\",\"after\":\"PT1H\"}");

        assertThat(server.delete("changer", JOBS + "/" + id).text("result")).isEqualTo("CANCELLED");
        assertThat(server.delete("changer", JOBS + "/" + id).text("result")).isEqualTo("CANCELLED");
        assertThat(server.delete("changer", JOBS + "?name=elsewhere&key=k%2Fdel")
                        .text("result"))
                .isEqualTo("CANCELLED");
        assertProblem(server.delete("changer", JOBS + "?name=elsewhere&key=k%2Fdel"), 404, "not-found");
        assertProblem(server.delete("changer", JOBS + "?name=hidden&key=1"), 404, "not-found");
        assertProblem(server.delete("changer", JOBS + "?name=elsewhere"), 400, "unreadable-request");
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        String running = submitted("{\"name\":\"elsewhere\"}");
        server.claim(running);
        assertThat(server.delete("changer", JOBS + "/" + running).text("result"))
                .isEqualTo("RUNNING");
    }

    @Test
    void retry_makesOnlyAFailedJobDueAgain() {
        String id = submitted("{\"name\":\"elsewhere\"}");
        assertThat(server.post("changer", JOBS + "/" + id + "/retry", "").text("result"))
                .isEqualTo("WAITING");
        server.claim(id);
        server.fail(id, new IllegalStateException("card 4711 refused"));

        ApiServer.Answer failed = server.get("reader", JOBS + "/" + id);
        assertThat(failed.text("state")).isEqualTo("FAILED");
        assertThat(failed.text("failure")).isEqualTo("java.lang.IllegalStateException");
        assertThat(failed.text()).doesNotContain("4711");
        assertProblem(server.delete("changer", JOBS + "/" + id), 409, "unchanged");
        assertThat(server.post("changer", JOBS + "/" + id + "/retry", "{\"after\":\"PT1M\"}")
                        .text("result"))
                .isEqualTo("CHANGED");
        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void jobThatIsNotExposed_isUnknownByItsId() {
        String id = server.context
                .getBean(DelayJobOperations.class)
                .schedule("hidden")
                .after(Duration.ofHours(1))
                .id()
                .toString();

        String unknown = UUID.randomUUID().toString();
        String expected = server.get("reader", JOBS + "/" + unknown).text("detail");

        for (ApiServer.Answer answer : List.of(
                server.get("reader", JOBS + "/" + id),
                server.delete("changer", JOBS + "/" + id),
                server.patch("changer", JOBS + "/" + id, "{\"after\":\"PT1H\"}"),
                server.post("changer", JOBS + "/" + id + "/retry", ""))) {
            assertProblem(answer, 404, "not-found");
            assertThat(answer.text("detail").replace(id, unknown)).isEqualTo(expected);
        }
        assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    }

    @Test
    void otherPathsAndMethods_areProblems() {
        assertProblem(server.get("all", "/delayjob/v1/pauses"), 404, "not-found");
        ApiServer.Answer put = server.send("PUT", "all", JOBS, "{}");
        assertProblem(put, 405, "method-not-allowed");
        assertThat(put.response().headers().firstValue("Allow").orElse("")).contains("GET", "POST", "DELETE");
        assertProblem(server.send("OPTIONS", "all", JOBS, null), 405, "method-not-allowed");
    }

    @Test
    void payloads_areShownOnlyIfConfigured() {
        String hidden = submitted("{\"name\":\"elsewhere\"}");
        server.finish(hidden, "order 5 is unpaid");
        assertThat(server.get("reader", JOBS + "/" + hidden).text()).doesNotContain("unpaid");
        try (ApiServer open = ApiServer.start("delayjob.rest.show-payloads=true")) {
            String id = open.post(
                            "submitter", JOBS, "{\"name\":\"remind\",\"arguments\":{\"orderId\":5},\"after\":\"PT1H\"}")
                    .text("id");

            assertThat(open.get("reader", JOBS + "/" + id)
                            .json()
                            .path("arguments")
                            .path("orderId")
                            .asInt())
                    .isEqualTo(5);
            open.finish(id, "order 5 is unpaid");
            assertThat(open.get("reader", JOBS + "/" + id)
                            .json()
                            .at("/log/lines/0/message")
                            .asString())
                    .isEqualTo("order 5 is unpaid");
        }
    }
}
