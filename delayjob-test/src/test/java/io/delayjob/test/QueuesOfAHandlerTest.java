package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests a handler with jobs in several queues, one of which has no free slot. The settings are the default settings.
 */
class QueuesOfAHandlerTest {

    /** See "How late a job may start" in docs/reliability.md. */
    private static final Duration LATE_BY_AT_MOST = Duration.ofMillis(8_500);

    private static final int SLOTS = 16;

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final List<CompletableFuture<?>> ends = new ArrayList<>();

    @Test
    void jobInAQueueThatIsNewToAHandler_startsInTime_whileAnotherQueueOfTheHandlerIsFull() {
        Cluster.Member worker = cluster.join("worker");
        DelayJobOperations jobs = fillAQueue(worker);

        JobId urgent = jobs.schedule("job").queue("urgent").now().id();
        cluster.time.advance(LATE_BY_AT_MOST);

        assertThat(calls.all()).extracting(Calls.Call::id).contains(urgent);
    }

    @Test
    void jobsInAnotherQueueOfAHandler_startInTime_whileAQueueOfTheHandlerIsFull() {
        Cluster.Member worker = cluster.join("worker");
        DelayJobOperations jobs = fillAQueue(worker);
        worker.tester().operations().schedule("job").queue("urgent").now();
        cluster.time.advance(ofSeconds(1));

        for (int i = 0; i < 14; i++) {
            jobs.schedule("job").queue("urgent").now();
            cluster.time.advance(ofSeconds(1));
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(2 * SLOTS + 1 + 14);
        assertThat(calls.all().subList(2 * SLOTS, calls.count()))
                .allSatisfy(call ->
                        assertThat(Duration.between(call.dueAt(), call.at())).isLessThanOrEqualTo(LATE_BY_AT_MOST));
    }

    @Test
    void fullHandlers_readNothing_whileAnotherQueueHasOverdueJobsOfOtherHandlersOnly() {
        AtomicInteger read = new AtomicInteger();
        Map<String, Integer> statements = new HashMap<>();
        JobListener counting = new JobListener() {
            @Override
            public void preloaded(String role, int rows, Duration took) {
                read.addAndGet(rows);
            }
        };
        Cluster.Member worker = cluster.join(
                "worker", Statements.counted(cluster.memory, statements), UnaryOperator.identity(), counting);
        List<String> full = IntStream.range(0, 10).mapToObj(i -> "job-" + i).toList();
        DelayJobOperations jobs = fillAQueue(worker, full);
        jobs.schedule("other").queue("urgent").now();
        cluster.time.advance(ofMinutes(1));
        read.set(0);
        statements.clear();

        cluster.time.advance(ofMinutes(1));

        assertThat(read).as("rows").hasValue(0);
        assertThat(statements.get("overdue")).as("one statement in each pass").isLessThanOrEqualTo(60);
    }

    private DelayJobOperations fillAQueue(Cluster.Member worker) {
        return fillAQueue(worker, List.of("job"));
    }

    private DelayJobOperations fillAQueue(Cluster.Member worker, List<String> handlers) {
        handlers.forEach(handler -> worker.tester().register(hanging(handler)));
        DelayJobOperations jobs = producer();
        cluster.time.advance(ofMinutes(1));
        schedule200(jobs, handlers);
        jobs.schedule("other").queue("urgent").after(ofHours(1));
        cluster.time.advance(ofMinutes(1));
        List.copyOf(ends).forEach(end -> end.complete(null));
        schedule200(jobs, handlers);
        cluster.time.advance(ofMinutes(1));
        assertThat(calls.count()).isEqualTo(2 * SLOTS);
        return jobs;
    }

    private static void schedule200(DelayJobOperations jobs, List<String> handlers) {
        for (String handler : handlers) {
            for (int i = 0; i < 200; i++) {
                jobs.schedule(handler).now();
            }
        }
    }

    @Test
    void dueJobThatMovesToAnotherQueue_startsThere() {
        Cluster.Member worker = cluster.join("worker");
        worker.tester().register(hanging());
        DelayJobOperations jobs = worker.tester().operations();
        cluster.time.advance(ofMinutes(1));
        for (int i = 0; i < SLOTS; i++) {
            jobs.schedule("job").now();
        }
        jobs.schedule("job").key("k").now();
        cluster.time.advance(ofSeconds(5));
        assertThat(calls.count()).isEqualTo(SLOTS);

        JobId moved = jobs.schedule("job")
                .key("k", OnExisting.REPLACE)
                .queue("urgent")
                .now()
                .id();
        cluster.time.advance(LATE_BY_AT_MOST);

        assertThat(calls.all()).extracting(Calls.Call::id).contains(moved);
    }

    private Handler hanging() {
        return hanging("job");
    }

    private Handler hanging(String name) {
        return calls.with(Handler.named(name), (arguments, job) -> {
            CompletableFuture<?> end = new CompletableFuture<>();
            ends.add(end);
            return end;
        });
    }

    private DelayJobOperations producer() {
        return cluster.join("producer", cluster.memory, settings -> settings.worker(false))
                .tester()
                .operations();
    }
}
