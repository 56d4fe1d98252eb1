package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.redis.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same request by several threads at once, as by a client whose connection was cut. */
class IdempotencyTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 25;

    private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stopCallers() {
        callers.shutdownNow();
    }

    private static ApiServer start(String store) {
        return switch (store) {
            case "memory" -> ApiServer.start("delayjob.store=memory");
            case "jdbc" ->
                ApiServer.start("delayjob.store=jdbc", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
            default ->
                ApiServer.start(
                        "delayjob.store=redis",
                        "delayjob.redis.slots=" + store.substring(store.indexOf(' ') + 1),
                        "delayjob.redis.namespace=" + TestRedis.namespace(),
                        "spring.data.redis.port=" + TestRedis.uri().getPort());
        };
    }

    private List<ApiServer.Answer> atOnce(Callable<ApiServer.Answer> request) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<ApiServer.Answer>> sent = IntStream.range(0, THREADS)
                .mapToObj(i -> callers.submit(() -> {
                    start.await();
                    return request.call();
                }))
                .toList();
        List<ApiServer.Answer> answers = new ArrayList<>();
        for (Future<ApiServer.Answer> answer : sent) {
            answers.add(answer.get());
        }
        return answers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "jdbc", "redis 1", "redis 16"})
    void requestsWithTheSameKey_makeOneJob(String store) throws Exception {
        try (ApiServer server = start(store)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = UUID.randomUUID().toString();
                String body =
                        "{\"name\":\"remind\",\"arguments\":{\"orderId\":%d},\"after\":\"PT1H\"}".formatted(round);

                List<ApiServer.Answer> answers =
                        atOnce(() -> server.post("submitter", "/delayjob/v1/jobs", body, "Idempotency-Key", key));

                assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.text("id")).as(answer.text()).isEqualTo(key));
                assertThat(answers)
                        .extracting(ApiServer.Answer::status)
                        .containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200);
            }
            assertThat(server.jobs()).hasSize(ROUNDS).extracting(Job::failures).containsOnly(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "jdbc", "redis 1", "redis 16"})
    void requestsWithTheSameKey_makeOneJob_thatHasAKey(String store) throws Exception {
        try (ApiServer server = start(store)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = UUID.randomUUID().toString();
                String policy = round % 2 == 0 ? "KEEP" : "FAIL";
                String body = "{\"name\":\"elsewhere\",\"key\":\"k%d\",\"ifExists\":\"%s\",\"after\":\"PT1H\"}"
                        .formatted(round, policy);

                List<ApiServer.Answer> answers =
                        atOnce(() -> server.post("submitter", "/delayjob/v1/jobs", body, "Idempotency-Key", key));

                String id = answers.get(0).text("id");
                assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.text("id")).as(answer.text()).isEqualTo(id));
                assertThat(answers)
                        .extracting(ApiServer.Answer::status)
                        .containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200);
                assertThat(server.delete("changer", "/delayjob/v1/jobs/" + id).status())
                        .isEqualTo(200);
                assertThat(server.post("submitter", "/delayjob/v1/jobs", body, "Idempotency-Key", key)
                                .text("state"))
                        .isEqualTo("CANCELLED");
            }
            assertThat(server.jobs()).hasSize(ROUNDS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "jdbc", "redis 1", "redis 16"})
    void requestsWithTheSameKey_addOneMember_andCloseItsGroupOnce(String store) throws Exception {
        try (ApiServer server = start(store)) {
            for (int round = 0; round < ROUNDS; round++) {
                String group = "/delayjob/v1/groups/import-" + round;
                String member = UUID.randomUUID().toString();
                String follower = UUID.randomUUID().toString();
                String body = "{\"name\":\"elsewhere\",\"group\":\"import-%d\"}".formatted(round);

                assertThat(atOnce(() -> server.post("submitter", "/delayjob/v1/jobs", body, "Idempotency-Key", member)))
                        .extracting(answer -> answer.text("id"))
                        .containsOnly(member);
                assertThat(atOnce(() -> server.post(
                                "submitter",
                                group + "/when-all-ended",
                                "{\"name\":\"elsewhere\"}",
                                "Idempotency-Key",
                                follower)))
                        .extracting(ApiServer.Answer::text)
                        .containsOnly("{\"id\":\"" + follower + "\"}");

                assertThat(server.get("reader", group).json().path("begun").asInt())
                        .isEqualTo(1);
            }
            assertThat(server.jobs()).hasSize(ROUNDS);
        }
    }
}
