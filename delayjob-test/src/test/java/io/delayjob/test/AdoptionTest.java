package io.delayjob.test;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.JobId;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueueSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests overdue jobs in partitions whose leader cannot run them, with the default settings. */
class AdoptionTest {

    /**
     * Maximum time until a job is adopted: adopt-after, half of adopt-after and a sweep interval until the next sweep,
     * and the sweep itself.
     */
    private static final Duration ADOPTED_WITHIN = ofSeconds(9);

    /** A page has at most 500 rows of each partition that the other instance leads. */
    private static final int MOST_IN_A_PAGE = 8 * 500;

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Calls others = new Calls(cluster.time);
    private final AtomicInteger adopted = new AtomicInteger();

    @Test
    void jobsWhoseLeaderLacksTheHandler_areAdoptedByAnInstanceThatHasIt() {
        Cluster.Member leader = cluster.join("leader");
        leader.tester().register(calls.named("invoice"));
        adopter(others.named("job"));
        cluster.time.advance(ofMinutes(1));

        Set<JobId> submitted = submit(leader, 200, ofSeconds(20));
        cluster.time.advance(ofMinutes(2));

        assertThat(others.all()).extracting(Calls.Call::id).containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(adopted).hasPositiveValue();
        assertNoneLaterThan(ADOPTED_WITHIN);
    }

    @Test
    void jobsOfASaturatedLeader_areAdoptedByAnInstanceWithRoom() {
        Cluster.Member leader = cluster.join("leader");
        leader.tester()
                .register(
                        calls.with(Handler.named("job").concurrency(1), (arguments, job) -> new CompletableFuture<>()));
        adopter(others.named("job"));
        cluster.time.advance(ofMinutes(1));

        submit(leader, 200, ofSeconds(20));
        cluster.time.advance(ofMinutes(2));

        assertThat(calls.count()).as("what fits into its only slot").isEqualTo(1);
        assertThat(others.all())
                .extracting(Calls.Call::id)
                .doesNotHaveDuplicates()
                .hasSize(199);
        assertThat(adopted).hasPositiveValue();
        assertNoneLaterThan(ADOPTED_WITHIN);
    }

    @Test
    void jobsWithoutALeader_areAdoptedWhileTheLeaseTableIsBroken() {
        cluster.withBrokenLeases();
        Cluster.Member one = cluster.join("one");
        one.tester().tolerateFailures();
        one.tester().register(calls.named("invoice"));
        adopter(others.named("job")).tester().tolerateFailures();
        cluster.time.advance(ofMinutes(1));

        Set<JobId> submitted = submit(one, 200, ofMinutes(1));
        cluster.time.advance(ofMinutes(3));

        assertThat(one.led()).isZero();
        assertThat(others.all()).extracting(Calls.Call::id).containsExactlyInAnyOrderElementsOf(submitted);
        assertNoneLaterThan(ADOPTED_WITHIN);
    }

    @Test
    void jobsInAQueueWithoutARate_areAdopted_whileAnotherQueueOfTheirHandlerUsesItsWholeRate() {
        UnaryOperator<EngineSettings.Builder> limited =
                settings -> settings.queues(Map.of("default", new QueueSettings(16, true, RateLimit.of("1/s"))));
        Cluster.Member leader = cluster.join("leader", cluster.memory, limited);
        leader.tester().register(calls.named("invoice"));
        cluster.join("adopter", cluster.memory, limited).tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        submit(leader, 200, ofSeconds(1));
        cluster.time.advance(ofSeconds(20));

        Set<JobId> urgent = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            urgent.add(leader.tester()
                    .operations()
                    .schedule("job")
                    .queue("urgent")
                    .after(ofSeconds(20))
                    .id());
        }
        cluster.time.advance(ofSeconds(20).plus(ADOPTED_WITHIN));

        assertThat(others.all()).extracting(Calls.Call::id).containsAll(urgent);
    }

    @Test
    void backlogInAQueueThatUsesItsWholeRate_isNotReadToItsEnd_whileAnotherQueueOfTheHandlerHasRoom() {
        UnaryOperator<EngineSettings.Builder> limited =
                settings -> settings.queues(Map.of("default", new QueueSettings(16, true, RateLimit.of("1/s"))));
        AtomicInteger read = new AtomicInteger();
        JobListener counting = new JobListener() {
            @Override
            public void preloaded(String role, int rows, Duration took) {
                read.addAndGet(role.equals("adopt") ? rows : 0);
            }
        };
        Cluster.Member leader = cluster.join("leader", cluster.memory, limited);
        leader.tester().register(calls.named("invoice"));
        cluster.join("adopter", cluster.memory, limited, counting).tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        leader.tester().operations().schedule("job").queue("urgent").now();
        for (int i = 0; i < 20_000; i++) {
            leader.tester().operations().schedule("job").now();
        }
        cluster.time.advance(ofMinutes(1));
        read.set(0);

        cluster.time.advance(ofMinutes(1));

        assertThat(read).as("one page in each pass").hasValueLessThanOrEqualTo(24 * MOST_IN_A_PAGE);
    }

    private Cluster.Member adopter(Handler handler) {
        JobListener counting = new JobListener() {
            @Override
            public void adopted(int count) {
                adopted.addAndGet(count);
            }
        };
        Cluster.Member member = cluster.join("adopter", cluster.memory, UnaryOperator.identity(), counting);
        member.tester().register(handler);
        return member;
    }

    private static Set<JobId> submit(Cluster.Member member, int count, Duration first) {
        Set<JobId> ids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Duration delay = first.plusMillis(50L * i);
            ids.add(member.tester().operations().schedule("job").after(delay).id());
        }
        return ids;
    }

    private void assertNoneLaterThan(Duration bound) {
        assertThat(others.all())
                .allSatisfy(call ->
                        assertThat(Duration.between(call.dueAt(), call.at())).isBetween(Duration.ZERO, bound));
    }
}
