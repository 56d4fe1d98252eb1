package io.delayjob.test;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.job.JobId;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.Vitals;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests attempts that report their progress. */
class ProgressInVirtualTimeTest {

    private final Cluster cluster = new Cluster();
    private final List<JobContext> contexts = new ArrayList<>();
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();

    private Cluster.Member member(String name) {
        Cluster.Member member = cluster.join(name, cluster.memory, UnaryOperator.identity());
        member.tester().register(Handler.named("import").concurrency(50).calls((arguments, job) -> {
            contexts.add(job);
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            return end;
        }));
        return member;
    }

    private List<Vitals.Progress> told() {
        return cluster.memory.instances().list().stream()
                .map(InstanceRow::vitals)
                .filter(Objects::nonNull)
                .flatMap(vitals -> vitals.progress().stream())
                .toList();
    }

    @Test
    void progress_isToldWithTheNextHeartbeat_andEndsWithTheAttempt() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofMinutes(1));
        JobId id = member.tester().operations().schedule("import").now().id();
        cluster.time.advance(ofSeconds(1));
        assertThat(told()).isEmpty();

        contexts.get(0).progress(1, 40);
        contexts.get(0).progress(17, 40, "page 17");
        cluster.time.advance(ofSeconds(10));
        assertThat(told()).containsExactly(new Vitals.Progress(id, 1, 17, 40, "page 17"));

        ends.get(0).complete(null);
        cluster.time.advance(ofSeconds(10));
        assertThat(told()).isEmpty();
    }

    @Test
    void progressOfOneJob_isFoundByEveryInstance_whileItsAttemptRuns() {
        Cluster.Member member = member("a");
        DelayJobOperations elsewhere = cluster.join("b", cluster.memory, UnaryOperator.identity())
                .tester()
                .operations();
        cluster.time.advance(ofMinutes(1));
        JobId id = member.tester().operations().schedule("import").now().id();
        JobId other = member.tester().operations().schedule("import").now().id();
        cluster.time.advance(ofSeconds(1));
        contexts.stream().filter(context -> context.id().equals(id)).forEach(context -> context.progress(17, 40));
        assertThat(elsewhere.progress(id)).isEmpty();
        cluster.time.advance(ofSeconds(10));

        assertThat(elsewhere.progress(id)).contains(new Vitals.Progress(id, 1, 17, 40, ""));
        assertThat(elsewhere.progress(other)).isEmpty();

        ends.forEach(end -> end.complete(null));
        cluster.time.advance(ofSeconds(1));
        assertThat(elsewhere.progress(id)).isEmpty();
    }

    @Test
    void progressOfManyAttempts_isTheProgressOfTheOldest() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofMinutes(1));
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ids.add(member.tester().operations().schedule("import").now().id());
            cluster.time.advance(ofSeconds(1));
        }
        contexts.subList(2, 16).forEach(context -> context.progress(1, 0));
        cluster.time.advance(ofSeconds(10));

        assertThat(told()).extracting(Vitals.Progress::job).isEqualTo(ids.subList(2, 16));
    }

    @Test
    void progressBelowZero_isRefused() {
        Cluster.Member member = member("a");
        cluster.time.advance(ofMinutes(1));
        member.tester().operations().schedule("import").now();
        cluster.time.advance(ofSeconds(1));

        assertThatThrownBy(() -> contexts.get(0).progress(-1, 40)).hasMessageContaining("Invalid progress -1 of 40");
        assertThatThrownBy(() -> contexts.get(0).progress(1, -40))
                .hasMessageContaining("neither number may be negative");
    }
}
