package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests engines on a store that permanently refuses each batch with one of some rows. */
class RefusedRowInVirtualTimeTest {

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Set<JobId> refused = new HashSet<>();

    @ParameterizedTest(name = "store with several nodes: {0}")
    @ValueSource(booleans = {false, true})
    void otherJobsRun_andTheRefusedJobRunsWhenTheStoreAcceptsItsRelease(boolean several) {
        Cluster.Member member = join("a", several);
        member.tester().register(calls.named("job"));
        List<JobId> jobs = schedule(member, 40, Duration.ofSeconds(20));
        JobId bad = jobs.get(17);
        refused.add(bad);

        cluster.time.advance(Duration.ofSeconds(30));
        List<JobId> later = schedule(member, 40, Duration.ofSeconds(10));
        cluster.time.advance(Duration.ofMinutes(2));

        List<JobId> others = new ArrayList<>(jobs);
        others.addAll(later);
        others.remove(bad);
        assertThat(calls.all()).extracting(Calls.Call::id).containsExactlyInAnyOrderElementsOf(others);
        assertThat(calls.all())
                .filteredOn(call -> later.contains(call.id()))
                .allMatch(call -> call.at().equals(call.dueAt()));
        assertThat(state(bad)).isEqualTo(JobState.RUNNING);

        refused.clear();
        cluster.time.advance(Duration.ofMinutes(1));

        assertThat(state(bad)).isEqualTo(JobState.FINISHED);
        assertThat(calls.count()).isEqualTo(80);
    }

    @ParameterizedTest(name = "store with several nodes: {0}")
    @ValueSource(booleans = {false, true})
    void instanceStops_andAnotherInstanceRunsTheRefusedJobLater(boolean several) {
        Cluster.Member member = join("a", several);
        member.tester().register(calls.named("job"));
        List<JobId> jobs = schedule(member, 40, Duration.ofSeconds(20));
        JobId bad = jobs.get(17);
        refused.add(bad);
        cluster.time.advance(Duration.ofSeconds(30));

        member.tester().engine().stop();

        assertThat(cluster.memory.instances().list()).isEmpty();
        Cluster.Member other = join("b", several);
        other.tester().register(calls.named("job"));
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(state(bad)).isEqualTo(JobState.RUNNING);
        refused.clear();
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(state(bad)).isEqualTo(JobState.FINISHED);
    }

    @ParameterizedTest(name = "store with several nodes: {0}")
    @ValueSource(booleans = {false, true})
    void otherLostJobsAreRescued_andTheRefusedJobIsRescuedWhenTheStoreAcceptsIt(boolean several) {
        Cluster.Member lost = join("a", several);
        lost.tester().register(calls.with(Handler.named("job"), (arguments, job) -> {
            lost.process().kill();
            return null;
        }));
        cluster.time.advance(Duration.ofSeconds(1));
        List<JobId> jobs = schedule(lost, 16, Duration.ZERO);
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(jobs).extracting(this::state).containsOnly(JobState.RUNNING);
        JobId bad = jobs.get(7);
        refused.add(bad);
        Calls survivors = new Calls(cluster.time);
        Cluster.Member survivor = join("b", several);
        survivor.tester().register(survivors.named("job"));

        cluster.time.advance(Duration.ofMinutes(5));

        assertThat(survivors.count()).isEqualTo(15);
        assertThat(survivor.tester().operations().find(JobQuery.state(JobState.RUNNING)))
                .extracting(Job::id)
                .containsExactly(bad);

        refused.clear();
        cluster.time.advance(Duration.ofMinutes(1));

        assertThat(state(bad)).isEqualTo(JobState.FINISHED);
    }

    private Cluster.Member join(String name, boolean several) {
        JobStore store = several ? new GroupedStore(cluster.memory) : cluster.memory;
        Cluster.Member member = cluster.join(name, new RefusingStore(store), UnaryOperator.identity());
        member.tester().tolerateFailures();
        return member;
    }

    private static List<JobId> schedule(Cluster.Member member, int count, Duration delay) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(member.tester().operations().schedule("job").after(delay).id());
        }
        return ids;
    }

    private JobState state(JobId job) {
        return cluster.memory.find(job).orElseThrow().state();
    }

    /** A store that claims refused rows but cannot return their jobs, and neither releases nor rescues these rows. */
    private final class RefusingStore extends ForwardingStore {

        RefusingStore(JobStore target) {
            super(target);
        }

        @Override
        public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
            List<Job> claimed = super.claim(rows, owner, freshToken, now);
            check(rows);
            return claimed;
        }

        @Override
        public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
            check(rows);
            return super.release(rows, claimToken, freshToken, now);
        }

        @Override
        public List<DueRow> rescue(List<DueRow> rows, Instant now, long freshToken) {
            check(rows);
            return super.rescue(rows, now, freshToken);
        }

        private void check(List<DueRow> rows) {
            if (rows.stream().map(DueRow::id).anyMatch(refused::contains)) {
                throw StoreException.refused("The row is cut.");
            }
        }
    }
}
