package io.delayjob.internal.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.CapturedLog;
import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.internal.instance.ClusterListener;
import io.delayjob.internal.instance.HeartbeatTerms;
import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.instance.OwnEntry;
import io.delayjob.job.GivenJob;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.status.UnhandledName;
import io.delayjob.store.DueSink;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnhandledJobsTest {

    private static final Duration SETTLING = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore rows = new MemoryJobStore(clock::storeMicros);
    private final FaultyStore store = new FaultyStore(rows);
    private int lastId;

    @Test
    void jobsOfANameThatNobodyHandles_areFoundOnceTheRegisterHasSettled() {
        Instance one = new Instance("one", "send");
        submit("send", 3);
        submit("bill", 2);
        one.runFor(SETTLING.minusMillis(1));
        assertThat(one.unhandled.found()).isEmpty();
        one.runFor(Duration.ofMillis(1));
        assertThat(one.unhandled.found()).containsExactly(new UnhandledName("bill", 2, false, HandClock.START));
        assertThat(one.unhandled.found().get(0).extent()).isEqualTo("2 jobs, the earliest due at 2030-01-31T10:00:00Z");
    }

    @Test
    void nameThatAnotherInstanceHandles_isNotReported() {
        Instance one = new Instance("one", "send");
        Instance two = new Instance("two", "bill");
        submit("bill", 2);
        runFor(Duration.ofMinutes(1), one, two);
        assertThat(one.unhandled.found()).isEmpty();
    }

    @Test
    void onlyOneInstanceSearches_andAnotherAfterItHasLeft() {
        Instance one = new Instance("one", "send");
        Instance two = new Instance("two", "send");
        submit("bill", 1);
        runFor(Duration.ofMinutes(1), one, two);
        assertThat(one.unhandled.found()).hasSize(1);
        assertThat(two.unhandled.found()).isEmpty();
        one.membership.leave();
        two.runFor(Duration.ofMinutes(1));
        assertThat(two.unhandled.found()).hasSize(1);
    }

    @Test
    void handlerThatComesBack_isSeenOnceTheRegisterHasSettled() {
        Instance one = new Instance("one", "send");
        submit("bill", 1);
        one.runFor(Duration.ofMinutes(1));
        assertThat(one.unhandled.found()).hasSize(1);
        runFor(Duration.ofMinutes(1), one, new Instance("two", "bill"));
        assertThat(one.unhandled.found()).isEmpty();
    }

    @Test
    void millionsOfJobs_costNoMoreThanTenStatementsAnHour() {
        Instance one = new Instance("one", "send");
        submit("bill", 30_000);
        one.runFor(Duration.ofMinutes(30));
        assertThat(store.calls("dueAfter")).hasSize(UnhandledJobs.PAGES);
        assertThat(one.unhandled.found())
                .containsExactly(
                        new UnhandledName("bill", UnhandledJobs.PAGES * UnhandledJobs.PAGE, true, HandClock.START));
        assertThat(one.unhandled.found().get(0).extent()).startsWith("at least 20000 jobs");
        one.runFor(Duration.ofHours(1));
        assertThat(store.calls("dueAfter")).hasSize(2 * UnhandledJobs.PAGES);
    }

    @Test
    void emptyTable_isNotRead() {
        Instance one = new Instance("one", "send");
        one.runFor(Duration.ofHours(3));
        assertThat(store.calls("dueAfter")).isEmpty();
    }

    @Test
    void nameWithALineBreak_forgesNoLine() {
        Instance one = new Instance("one", "send");
        submit("bill\nERROR forged", 1);
        try (CapturedLog log = new CapturedLog()) {
            one.runFor(Duration.ofMinutes(1));
            assertThat(log.lines("forged")).singleElement().asString().contains("'bill\\u000AERROR forged'");
        }
    }

    private void submit(String name, int count) {
        List<NewJob> jobs = IntStream.range(0, count)
                .mapToObj(i -> GivenJob.given()
                        .id(GivenJob.id(++lastId))
                        .partition(new Partition("default", lastId % 8))
                        .name(name)
                        .token(lastId)
                        .toBeWritten())
                .toList();
        rows.submit(jobs, DueSink.NONE);
    }

    private void runFor(Duration duration, Instance... instances) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            for (Instance instance : instances) {
                instance.call();
            }
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private final class Instance {
        final Membership membership;
        final UnhandledJobs unhandled;

        Instance(String name, String handler) {
            membership = new Membership(
                    rows.instances(),
                    clock,
                    new OwnEntry(name, () -> Set.of("default"), () -> Set.of(Set.of(handler)), () -> null),
                    new HeartbeatTerms(Duration.ofSeconds(2), Duration.ofSeconds(10)),
                    new ClusterListener() {},
                    () -> {});
            unhandled = new UnhandledJobs(
                    store.asStore(),
                    rows.instances(),
                    membership,
                    () -> rows.partitionsInUse().keySet(),
                    handler::equals,
                    clock,
                    SETTLING);
            call();
        }

        /** Calls the agents until they have nothing to do at this moment. */
        void call() {
            membership.doWork();
            long pause;
            do {
                pause = unhandled.doWork();
            } while (pause == 0);
        }

        void runFor(Duration duration) {
            long end = clock.nanoTime() + duration.toNanos();
            while (end - clock.nanoTime() > 0) {
                clock.advance(Duration.ofNanos(Math.min(Duration.ofSeconds(1).toNanos(), end - clock.nanoTime())));
                call();
            }
        }
    }
}
