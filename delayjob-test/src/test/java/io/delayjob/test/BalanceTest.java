package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how partitions are shared, and how soon after an instance has joined or left, with the default settings. */
class BalanceTest {

    private static final int PARTITIONS = 8;

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Deque<Cluster.Member> members = new ArrayDeque<>();

    @Test
    void whoeverJoinsHasItsShareWithinSeconds() {
        List<Duration> took = new ArrayList<>();
        for (int count = 1; count <= PARTITIONS + 1; count++) {
            join();
            took.add(untilShared());
            // This time is not in step with the heartbeats of the instances.
            cluster.time.advance(ofSeconds(40).plusMillis(137 * count));
        }

        assertThat(took).allSatisfy(time -> assertThat(time).isLessThan(ofSeconds(5)));
    }

    @Test
    void whoeverStopsIsSucceededWithinASecond() {
        for (int count = 1; count <= PARTITIONS + 1; count++) {
            join();
        }
        cluster.time.advance(ofMinutes(1));
        List<Duration> took = new ArrayList<>();
        while (members.size() > 1) {
            cluster.time.advance(ofSeconds(40).plusMillis(137 * members.size()));
            members.remove().tester().engine().stop();
            took.add(untilShared());
        }

        assertThat(took).allSatisfy(time -> assertThat(time).isLessThan(ofSeconds(1)));
    }

    @Test
    void comingAndGoingDelaysNoJobForLongAndDoublesNone() {
        join();
        join();
        cluster.time.advance(ofMinutes(1));
        Set<JobId> submitted = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            submitted.add(members.peek()
                    .tester()
                    .operations()
                    .schedule("job")
                    .after(ofSeconds(11).plusMillis(24L * i))
                    .id());
        }

        for (int i = 0; i < 12; i++) {
            cluster.time.advance(ofSeconds(7).plusMillis(113L * i));
            join();
            cluster.time.advance(ofSeconds(5).plusMillis(71L * i));
            members.remove().tester().engine().stop();
        }
        cluster.time.advance(ofMinutes(1));

        assertThat(calls.all())
                .extracting(Calls.Call::id)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(submitted);
        Duration latest = calls.all().stream()
                .map(call -> Duration.between(call.dueAt(), call.at()))
                .max(Duration::compareTo)
                .orElseThrow();
        assertThat(latest).isLessThan(ofSeconds(1));
    }

    private void join() {
        Cluster.Member member = cluster.join("m" + (members.size() + calls.count()));
        member.tester().register(calls.named("job"));
        members.add(member);
    }

    /** Advances time until every partition is led and no instance leads more than its share. Returns that time. */
    private Duration untilShared() {
        Duration step = ofMillis(10);
        Duration waited = Duration.ZERO;
        while (!isShared()) {
            cluster.time.advance(step);
            waited = waited.plus(step);
            assertThat(waited).isLessThan(ofMinutes(1));
        }
        return waited;
    }

    private boolean isShared() {
        int share = (PARTITIONS + members.size() - 1) / members.size();
        List<Integer> led = members.stream().map(Cluster.Member::led).toList();
        return led.stream().mapToInt(Integer::intValue).sum() == PARTITIONS
                && led.stream().allMatch(partitions -> partitions <= share);
    }
}
