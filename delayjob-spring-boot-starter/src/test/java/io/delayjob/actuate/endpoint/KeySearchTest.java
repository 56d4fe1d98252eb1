package io.delayjob.actuate.endpoint;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeySearchTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final DelayJobTester tester =
            DelayJobTester.builder().time(time).store(store).build();
    private final KeySearch search = new KeySearch(tester.operations(), store, new HandlerRegistry());

    @Test
    void jobsOfAnEndedState_areInTheOrderOfTheirEnds_whateverTheirHandlers() {
        failing("pack");
        failing("ship");
        tester.operations().schedule("pack").key(7).after(ofMinutes(2));
        tester.operations().schedule("ship").key(7).after(ofMinutes(1));
        tester.advance(ofMinutes(2));

        assertThat(names(JobQuery.state(JobState.FAILED).key(7))).containsExactly("ship", "pack");
        assertThat(names(JobQuery.state(JobState.FAILED).key(7).order(JobOrder.NEWEST)))
                .containsExactly("pack", "ship");
        assertThat(names(JobQuery.all().key(7))).containsExactly("pack", "ship");
    }

    private void failing(String name) {
        tester.register(Handler.named(name).retry(RetryPolicy.none()).calls((arguments, job) -> {
            throw new IllegalStateException("not today");
        }));
    }

    private List<String> names(JobQuery query) {
        JobPage found = search.find(query);
        assertThat(found).isNotNull();
        return found.jobs().stream().map(Job::name).toList();
    }
}
