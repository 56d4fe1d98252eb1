package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same request by several threads at once, as by a client whose connection was cut. */
class IdempotencyTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 25;

    @ParameterizedTest
    @ValueSource(strings = {"delayjob.store=memory", "spring.datasource.url=jdbc:h2:mem:idempotency"})
    void requestsWithTheSameKey_makeOneJob(String store) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        boolean memory = store.startsWith("delayjob");
        try (ApiServer server = memory ? ApiServer.start(store) : ApiServer.start(store, "delayjob.store=jdbc")) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = UUID.randomUUID().toString();
                String body =
                        "{\"name\":\"remind\",\"arguments\":{\"orderId\":%d},\"after\":\"PT1H\"}".formatted(round);
                CyclicBarrier start = new CyclicBarrier(THREADS);
                List<Future<ApiServer.Answer>> answers = IntStream.range(0, THREADS)
                        .mapToObj(i -> callers.submit(() -> {
                            start.await();
                            return server.post("submitter", "/delayjob/v1/jobs", body, "Idempotency-Key", key);
                        }))
                        .toList();
                List<Integer> statuses = new ArrayList<>();
                for (Future<ApiServer.Answer> answer : answers) {
                    statuses.add(answer.get().status());
                    assertThat(answer.get().text("id")).as(answer.get().text()).isEqualTo(key);
                }
                assertThat(statuses).containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200);
            }
            assertThat(server.jobs()).hasSize(ROUNDS).extracting(Job::failures).containsOnly(0);
        } finally {
            callers.shutdownNow();
        }
    }
}
