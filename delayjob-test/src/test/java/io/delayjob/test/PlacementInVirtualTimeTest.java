package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.Handler;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests engines on a store that decides the place of its jobs, and accepts only batches for one node. */
class PlacementInVirtualTimeTest {

    private final Cluster cluster = new Cluster();
    private final GroupedStore store = new GroupedStore(cluster.memory);
    private final Cluster.Member member = cluster.join("a", store, UnaryOperator.identity());
    private final Calls calls = new Calls(cluster.time);

    @Test
    void jobsOfAllNodes_runRetryAndEnd() {
        member.tester().register(calls.with(Handler.named("webhook"), (arguments, job) -> {
            if (job.attempt() == 1) {
                throw new IOException("503");
            }
            return null;
        }));
        cluster.time.advance(Duration.ofSeconds(1));

        List<JobId> ids = IntStream.range(0, 200)
                .mapToObj(i -> member.tester()
                        .operations()
                        .schedule("webhook")
                        .key("order-" + i)
                        .now()
                        .id())
                .toList();
        cluster.time.advance(Duration.ofHours(1));

        assertThat(store.asked).as("nodes").hasSize(4);
        assertThat(calls.count()).isEqualTo(400);
        assertThat(ids)
                .allSatisfy(id -> assertThat(store.find(id))
                        .get()
                        .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.FINISHED)));
    }

    @Test
    void jobsOfAllNodes_areRescuedFromALostInstance() {
        member.tester().register(calls.with(Handler.named("job"), (arguments, job) -> {
            if (job.attempt() == 1) {
                member.process().kill();
            }
            return null;
        }));
        cluster.time.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 40; i++) {
            member.tester().operations().schedule("job").key("k" + i).now();
        }
        cluster.time.advance(Duration.ofSeconds(1));
        Calls survivors = new Calls(cluster.time);
        Cluster.Member survivor = cluster.join("b", store, UnaryOperator.identity());
        survivor.tester().register(survivors.named("job"));

        cluster.time.advance(Duration.ofMinutes(5));

        assertThat(survivors.count()).isEqualTo(40);
        assertThat(survivor.tester().operations().find(JobQuery.state(JobState.RUNNING)))
                .isEmpty();
    }

    @Test
    void failBatchOnSeveralNodes_isRefusedWithTheNextStep() {
        member.tester().register("cancel", new UnpaidOrders(), "cancel");

        assertThatThrownBy(() -> schedule(OnExisting.FAIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid batch of 20 jobs")
                .hasMessageContaining("one by one");
        assertThat(member.tester().operations().find(JobQuery.all())).isEmpty();
    }

    @Test
    void keepBatchOnSeveralNodes_isWritten() {
        member.tester().register("cancel", new UnpaidOrders(), "cancel");

        assertThat(schedule(OnExisting.KEEP))
                .hasSize(20)
                .extracting(Scheduled::outcome)
                .containsOnly(Scheduled.Outcome.CREATED);
    }

    private List<Scheduled> schedule(OnExisting onExisting) {
        List<Long> numbers = LongStream.range(0, 20).boxed().toList();
        return member.tester()
                .operations()
                .schedule(UnpaidOrders::cancel)
                .withEach(numbers)
                .key(number -> "order-" + number, onExisting)
                .after(Duration.ofHours(1));
    }
}
