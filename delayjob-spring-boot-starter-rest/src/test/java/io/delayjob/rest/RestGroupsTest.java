package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Groups of jobs, by a real server. */
class RestGroupsTest {

    private static final String JOBS = "/delayjob/v1/jobs";
    private static final String GROUPS = "/delayjob/v1/groups";

    private static final ApiServer server = ApiServer.start();

    /** No other test has a group of this name. */
    private final String group = "import-" + UUID.randomUUID();

    @AfterAll
    static void stop() {
        server.close();
    }

    private ApiServer.Answer add(String... headers) {
        return server.post("submitter", JOBS, "{\"name\":\"elsewhere\",\"group\":\"%s\"}".formatted(group), headers);
    }

    private String added() {
        return add().text("id");
    }

    private ApiServer.Answer post(String path, String body, String... headers) {
        return server.post("submitter", GROUPS + "/" + group + path, body, headers);
    }

    private ApiServer.Answer get() {
        return server.get("reader", GROUPS + "/" + group);
    }

    private ApiServer.Answer cancel() {
        return server.delete("changer", GROUPS + "/" + group);
    }

    private String counts() {
        ApiServer.Answer status = get();
        return "%s %s %s %s %s"
                .formatted(
                        status.text("state"),
                        status.json().path("begun"),
                        status.json().path("finished"),
                        status.json().path("failed"),
                        status.json().path("cancelled"));
    }

    private static Job job(String id) {
        return server.store.find(JobId.parse(id)).orElseThrow();
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private static void assertProblem(ApiServer.Answer answer, int status, String type) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text("type")).isEqualTo("urn:delayjob:" + type);
        assertThat(answer.text("detail")).isNotBlank();
    }

    @Test
    void members_areCounted_andFoundByTheirGroup() {
        String finished = added();
        String failed = added();
        String waiting = added();
        server.finish(finished);
        server.claim(failed);
        server.fail(failed, new IllegalStateException());

        assertThat(counts()).isEqualTo("OPEN 3 1 1 0");
        assertThat(get().text("name")).isEqualTo(group);
        assertThat(get().json().has("endedAt")).isFalse();
        assertThat(server.get("reader", JOBS + "/" + waiting).text("group")).isEqualTo(group);
        assertThat(ids(server.get("reader", JOBS + "?name=elsewhere&group=" + group)))
                .containsExactlyInAnyOrder(finished, failed, waiting);
        assertThat(ids(server.get("reader", JOBS + "?name=elsewhere&state=FAILED&group=" + group)))
                .containsExactly(failed);
    }

    private static List<String> ids(ApiServer.Answer page) {
        return StreamSupport.stream(page.json().path("jobs").spliterator(), false)
                .map(job -> job.path("id").asString())
                .toList();
    }

    @Test
    void repeatedMember_isTheSameJob_evenAfterTheGroupHasEnded() {
        String key = key();
        assertThat(add("Idempotency-Key", key).status()).isEqualTo(201);
        assertThat(add("Idempotency-Key", key).text("outcome")).isEqualTo("KEPT");
        assertThat(counts()).isEqualTo("OPEN 1 0 0 0");
        server.finish(key);
        post("/close", "{}");
        server.fold();
        assertThat(counts()).isEqualTo("ENDED 1 1 0 0");

        ApiServer.Answer repeated = add("Idempotency-Key", key);

        assertThat(repeated.status()).as(repeated.text()).isEqualTo(200);
        assertThat(repeated.text("state")).isEqualTo("FINISHED");
        assertProblem(add("Idempotency-Key", key()), 409, "group-ended");
        assertProblem(
                server.post("submitter", JOBS, "{\"name\":\"elsewhere\"}", "Idempotency-Key", key),
                422,
                "idempotency-key-reused");
    }

    @Test
    void jobThatFollows_isWrittenOnceAllMembersHaveEnded_howeverOftenTheRequestComes() {
        String member = added();
        String key = key();
        String body = "{\"name\":\"remind\",\"arguments\":{\"orderId\":7},\"queue\":\"mail\",\"labels\":[\"web\"]}";

        for (int i = 0; i < 2; i++) {
            ApiServer.Answer closed = post("/when-all-ended", body, "Idempotency-Key", key);
            assertThat(closed.status()).as(closed.text()).isEqualTo(200);
            assertThat(closed.text("id")).isEqualTo(key);
        }
        assertProblem(post("/when-all-ended", body, "Idempotency-Key", key()), 409, "group-closed");
        assertProblem(post("/when-all-ended", body), 409, "group-closed");
        assertProblem(
                post("/when-all-ended", body.replace("7", "8"), "Idempotency-Key", key), 422, "idempotency-key-reused");
        assertThat(counts()).isEqualTo("CLOSED 1 0 0 0");
        assertThat(server.store.find(JobId.parse(key))).isEmpty();

        server.finish(member);
        server.fold();

        Job follower = job(key);
        assertThat(follower.payload()).isEqualTo("{\"orderId\":7}");
        assertThat(follower.partition().queue()).isEqualTo("mail");
        assertThat(follower.labels()).containsExactly("web");
        assertThat(follower.extras().followsGroup()).isEqualTo(group);
        assertThat(post("/when-all-ended", body, "Idempotency-Key", key).text("id"))
                .isEqualTo(key);
        assertProblem(post("/when-all-ended", body), 409, "group-ended");
    }

    @Test
    void jobThatWaitsForAFailure_isWrittenOnce() {
        String key = key();
        assertThat(post("/when-any-fails", "{\"name\":\"elsewhere\"}", "Idempotency-Key", key)
                        .text("id"))
                .isEqualTo(key);
        String failing = added();
        added();
        server.claim(failing);
        server.fail(failing, new IllegalStateException());
        server.fold();

        assertThat(job(key).extras().followsGroup()).isEqualTo(group);
        assertThat(post("/when-any-fails", "{\"name\":\"elsewhere\"}", "Idempotency-Key", key)
                        .status())
                .isEqualTo(200);
        assertThat(counts()).isEqualTo("OPEN 2 0 1 0");
    }

    @Test
    void close_isAnsweredWithTheState_andRefusedTheSecondTime() {
        added();

        ApiServer.Answer closed = post("/close", "");

        assertThat(closed.text("state")).isEqualTo("CLOSED");
        assertThat(closed.json().propertyNames())
                .as("what a caller without delayjob:read sees")
                .containsExactlyInAnyOrder("name", "state");
        assertProblem(post("/close", ""), 409, "group-closed");
    }

    @Test
    void delete_cancelsTheGroupAndItsMembers() {
        String waiting = added();
        String running = added();
        server.claim(running);
        server.finish(added());

        ApiServer.Answer cancelled = cancel();

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("state")).isEqualTo("CANCELLED");
        assertThat(cancelled.json().path("changed").asInt()).isEqualTo(2);
        assertThat(job(waiting).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(running).cancelRequested()).isTrue();
        assertThat(cancel().text("state")).isEqualTo("CANCELLED");
        assertProblem(add(), 409, "group-ended");
        assertProblem(post("/close", "{}"), 409, "group-ended");
        assertProblem(post("/when-any-fails", "{\"name\":\"elsewhere\"}"), 409, "group-ended");
    }

    @Test
    void delete_ofAGroupThatHasEnded_changesNothing() {
        server.finish(added());
        post("/close", "{}");
        server.fold();

        ApiServer.Answer refused = cancel();

        assertProblem(refused, 409, "unchanged");
        assertThat(refused.text("result")).isEqualTo("ENDED");
        assertThat(counts()).isEqualTo("ENDED 1 1 0 0");
    }

    @Test
    void lists_haveOnlyExposedGroups() {
        added();
        operations().group("hidden-" + group).add(operations().schedule("elsewhere"));
        operations().group("import-a/b").add(operations().schedule("elsewhere"));

        List<String> open = names("?limit=500");
        assertThat(open).contains(group).allMatch(name -> name.startsWith("import-"));
        assertThat(open).doesNotContain("import-a/b");
        assertThat(names("?ended=true")).doesNotContain(group);
        assertThat(names("?limit=1")).hasSize(1);
        cancel();
        server.fold();
        assertThat(names("?ended=true")).contains(group);
        assertThat(names("")).doesNotContain(group);
    }

    private static List<String> names(String query) {
        return StreamSupport.stream(
                        server.get("reader", GROUPS + query)
                                .json()
                                .path("groups")
                                .spliterator(),
                        false)
                .map(each -> each.path("name").asString())
                .toList();
    }

    private static DelayJobOperations operations() {
        return server.context.getBean(DelayJobOperations.class);
    }

    @Test
    void groupThatIsNotExposed_isUnknown_andCannotBeChanged() {
        String hidden = "hidden-" + group;
        operations().group(hidden).add(operations().schedule("elsewhere"));
        String path = GROUPS + "/" + hidden;

        for (ApiServer.Answer answer : List.of(
                server.get("reader", path),
                server.delete("changer", path),
                server.post("submitter", path + "/close", "{}"),
                server.post("submitter", path + "/when-all-ended", "{\"name\":\"elsewhere\"}"),
                server.post("submitter", path + "/when-any-fails", "{\"name\":\"elsewhere\"}"),
                server.post("submitter", JOBS, "{\"name\":\"elsewhere\",\"group\":\"%s\"}".formatted(hidden)),
                server.get("reader", JOBS + "?name=elsewhere&group=" + hidden))) {
            assertProblem(answer, 404, "not-found");
        }
        assertThat(operations().group(hidden).find().orElseThrow().state()).isEqualTo(GroupState.OPEN);
        assertThat(operations().group(hidden).find().orElseThrow().counts().begun())
                .isEqualTo(1);
        Job member = operations().find(JobQuery.all().group(hidden)).iterator().next();
        assertThat(server.get("reader", JOBS + "/" + member.id()).json().has("group"))
                .as("a job that is exposed, in a group that is not")
                .isFalse();
    }

    @Test
    void groupThatDoesNotExist_isNotFound() {
        assertProblem(get(), 404, "not-found");
        assertProblem(cancel(), 404, "not-found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                              | 422 | invalid-job
            {"name":"hidden"}                               | 404 | not-found
            {"name":"remind"}                               | 422 | invalid-arguments
            {"name":"elsewhere","retry":"sometimes"}        | 422 | invalid-job
            {"name":"elsewhere","expiresAfter":"soon"}      | 422 | invalid-job
            {"name":"elsewhere","key":"1"}                  | 400 | unreadable-request
            {"name":"elsewhere","after":"PT1H"}             | 400 | unreadable-request
            {"name":"elsewhere","then":[]}                  | 400 | unreadable-request
            null                                            | 400 | unreadable-request
            """)
    void invalidJobThatFollows_isRefused_andNamesNoGroup(String body, int status, String type) {
        assertProblem(post("/when-all-ended", body), status, type);
        assertProblem(post("/when-any-fails", body), status, type);
        assertProblem(get(), 404, "not-found");
    }

    @Test
    void idempotencyKeyThatIsNoUuid_isRefused() {
        assertProblem(
                post("/when-all-ended", "{\"name\":\"elsewhere\"}", "Idempotency-Key", "1"),
                400,
                "invalid-idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"import-a/b", "import-a\\\\b", "import-100%", "import-a;b"})
    void nameThatNoPathCanHave_isRefused(String name) {
        ApiServer.Answer refused =
                server.post("submitter", JOBS, "{\"name\":\"elsewhere\",\"group\":\"%s\"}".formatted(name));

        assertProblem(refused, 422, "invalid-job");
        assertThat(refused.text("detail")).contains("part of a path");
    }

    @Test
    void nameWithSpacesAndUmlauts_isFine() {
        server.post("submitter", JOBS, "{\"name\":\"elsewhere\",\"group\":\"import-ü 1\"}");

        assertThat(server.get("reader", GROUPS + "/import-%C3%BC%201").text("name"))
                .isEqualTo("import-ü 1");
    }

    @ParameterizedTest
    @CsvSource({
        "?limit=0, 422, invalid-job",
        "?limit=501, 422, invalid-job",
        "?limit=many, 400, unreadable-request",
        "?ended=perhaps, 400, unreadable-request",
    })
    void invalidList_isRefused(String query, int status, String type) {
        assertProblem(server.get("reader", GROUPS + query), status, type);
    }

    @Test
    void memberThatReplacesByItsKey_isRefused() {
        ApiServer.Answer refused = server.post(
                "submitter",
                JOBS,
                "{\"name\":\"elsewhere\",\"group\":\"%s\",\"key\":\"1\",\"ifExists\":\"REPLACE\"}".formatted(group));

        assertProblem(refused, 422, "invalid-job");
        assertThat(refused.text("detail")).contains("must come without REPLACE");
    }

    @Test
    void otherMethods_areProblems() {
        ApiServer.Answer put = server.send("PUT", "all", GROUPS + "/" + group, "{}");
        assertProblem(put, 405, "method-not-allowed");
        assertThat(put.response().headers().firstValue("Allow").orElse("")).contains("GET", "DELETE");
        assertProblem(server.get("all", GROUPS + "/" + group + "/close"), 405, "method-not-allowed");
        assertProblem(server.post("all", GROUPS + "/" + group + "/open", "{}"), 404, "not-found");
    }

    @Test
    void noGroup_isExposedByDefault() {
        try (ApiServer closed = ApiServer.start("delayjob.rest.exposure.groups=")) {
            assertProblem(
                    closed.post("all", JOBS, "{\"name\":\"elsewhere\",\"group\":\"import-1\"}"), 404, "not-found");
            assertThat(closed.jobs()).isEmpty();
        }
    }

    @Test
    void storeWithoutGroups_isAProblemWithTheReason() {
        try (ApiServer without = ApiServer.start(WithoutGroups.class)) {
            for (ApiServer.Answer answer : List.of(
                    without.post("all", JOBS, "{\"name\":\"elsewhere\",\"group\":\"import-1\"}"),
                    without.get("all", GROUPS),
                    without.get("all", GROUPS + "?ended=true"),
                    without.get("all", GROUPS + "/import-1"),
                    without.delete("all", GROUPS + "/import-1"),
                    without.post("all", GROUPS + "/import-1/close", "{}"),
                    without.post("all", GROUPS + "/import-1/when-all-ended", "{\"name\":\"elsewhere\"}"),
                    without.post("all", GROUPS + "/import-1/when-any-fails", "{\"name\":\"elsewhere\"}"),
                    without.get("all", JOBS + "?name=elsewhere&group=import-1"))) {
                assertProblem(answer, 422, "invalid-job");
                assertThat(answer.text("detail")).contains("does not keep groups of jobs");
            }
            assertThat(without.jobs()).isEmpty();
        }
    }

    /** A store that keeps no groups. */
    @Configuration(proxyBeanMethods = false)
    @Import(ApiServer.Users.class)
    static class WithoutGroups {

        @Bean
        static BeanPostProcessor withoutGroups() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof JobStore store ? new GrouplessStore(store) : bean;
                }
            };
        }
    }

    private static final class GrouplessStore extends ForwardingJobStore {

        GrouplessStore(JobStore target) {
            super(target);
        }

        @Override
        public StoreCapabilities capabilities() {
            StoreCapabilities all = target.capabilities();
            Set<StoreCapability> fewer = EnumSet.copyOf(all.has());
            fewer.remove(StoreCapability.GROUPS);
            return new StoreCapabilities(all.durability(), fewer);
        }

        @Override
        public JobGroups groups() {
            throw StoreException.refused("no groups");
        }
    }
}
