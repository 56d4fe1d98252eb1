package io.delayjob.test;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests the vitals of instances and the events about other instances, with the default settings. */
class VitalsInVirtualTimeTest {

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final List<String> heard = new ArrayList<>();

    private Cluster.Member member(String name, JobListener... listeners) {
        Cluster.Member member = cluster.join(name, cluster.memory, UnaryOperator.identity(), listeners);
        member.tester().register(calls.named("mail"));
        return member;
    }

    private final class Ears implements JobListener {

        @Override
        public void instanceJoined(long number, String incarnation) {
            heard.add("joined " + number);
        }

        @Override
        public void instanceLeft(long number, String incarnation) {
            heard.add("left " + number);
        }

        @Override
        public void instanceGivenUp(long number, String incarnation, Duration silence) {
            heard.add("given up " + number + " after " + silence.toSeconds() + " s");
        }

        @Override
        public void paused(Paused names) {
            heard.add("paused " + names.handlers() + names.queues());
        }

        @Override
        public void resumed(Paused names) {
            heard.add("resumed " + names.handlers() + names.queues());
        }
    }

    private List<Vitals> vitals() {
        return cluster.memory.instances().list().stream()
                .map(InstanceRow::vitals)
                .toList();
    }

    @Test
    void idleInstances_tellTheirSlotsAndPartitions() {
        Instant begin = cluster.time.clock().storeTime();
        member("a");
        member("b");
        cluster.time.advance(ofMinutes(1));

        assertThat(vitals()).hasSize(2).allSatisfy(told -> {
            assertThat(told.since()).isBetween(begin.minusMillis(100), begin.plusSeconds(1));
            assertThat(told.version()).isNotBlank();
            assertThat(told.memory()).isEqualTo(new Vitals.Memory(0, 0, 1_000_000));
            assertThat(told.rates().startsPerSecond()).isZero();
            assertThat(told.queues()).singleElement().satisfies(use -> {
                assertThat(use.queue()).isEqualTo("default");
                assertThat(use.concurrency()).isEqualTo(16);
                assertThat(use.partitions()).hasSize(4);
            });
        });
        assertThat(vitals().stream().flatMap(told -> told.queues().get(0).partitions().stream()))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }

    /** Vitals have a limited length, so the lines of old queues would take the place of progress and log lines. */
    @Test
    void queueThatHasLostItsPlace_isToldNoLonger() {
        Cluster.Member member = member("a");
        member.tester().operations().schedule("mail").queue("of-today").now();
        cluster.time.advance(ofMinutes(1));
        assertThat(vitals().get(0).queues()).extracting(Vitals.QueueUse::queue).containsExactly("default", "of-today");

        cluster.time.advance(ofMinutes(10));

        assertThat(vitals().get(0).queues()).extracting(Vitals.QueueUse::queue).containsExactly("default");
    }

    @Test
    void busyInstance_tellsItsRates() {
        Cluster.Member busy = member("a");
        cluster.time.advance(ofMinutes(1));
        for (int i = 1; i <= 200; i++) {
            busy.tester().operations().schedule("mail").after(Duration.ofMillis(100L * i));
        }
        cluster.time.advance(ofSeconds(20));

        Vitals told = vitals().get(0);
        assertThat(told.rates().startsPerSecond()).isBetween(9.0, 11.0);
        assertThat(told.rates().endsPerSecond()).isBetween(9.0, 11.0);
        assertThat(told.rates().late().stream().mapToLong(Long::longValue).sum())
                .isBetween(170L, 200L);
    }

    @Test
    void instances_hearOfEachOtherOnce() {
        member("a", new Ears());
        Cluster.Member second = member("b");
        cluster.time.advance(ofMinutes(1));
        assertThat(heard).containsExactly("joined 1", "joined 2");

        second.process().kill();
        Cluster.Member third = member("c");
        cluster.time.advance(ofMinutes(1));
        third.tester().engine().stop();
        cluster.time.advance(ofMinutes(1));

        assertThat(heard).containsExactly("joined 1", "joined 2", "joined 3", "given up 2 after 10 s", "left 3");
    }

    @Test
    void instances_hearOfEachPauseOnce() {
        Cluster.Member first = member("a");
        cluster.time.advance(ofSeconds(10));
        first.tester().operations().pauseQueue("default");
        member("b", new Ears());
        cluster.time.advance(ofSeconds(10));
        heard.clear();

        first.tester().operations().pause("mail");
        cluster.time.advance(ofSeconds(10));
        first.tester().operations().resumeQueue("default");
        cluster.time.advance(ofSeconds(10));
        first.tester().operations().resume("mail");
        cluster.time.advance(ofMinutes(1));

        assertThat(heard).containsExactly("paused [mail][]", "resumed [][default]", "resumed [mail][]");
    }

    @Test
    void callerOfAPause_hearsOfItAtOnce() {
        Cluster.Member first = member("a", new Ears());
        cluster.time.advance(ofSeconds(10));
        heard.clear();

        first.tester().operations().pause("mail");
        assertThat(heard).containsExactly("paused [mail][]");
        cluster.time.advance(ofMinutes(1));

        assertThat(heard).hasSize(1);
    }

    @Test
    void instance_tellsWhichAttemptRunsLongest() {
        Cluster.Member busy = member("a");
        CompletableFuture<Void> end = new CompletableFuture<>();
        busy.tester().register(Handler.named("export").calls((arguments, job) -> end));
        cluster.time.advance(ofMinutes(1));
        Instant begin = cluster.time.clock().storeTime();
        JobId longest = busy.tester().operations().schedule("export").now().id();
        cluster.time.advance(ofSeconds(30));
        busy.tester().operations().schedule("export").now();
        busy.tester().operations().schedule("mail").now();
        cluster.time.advance(ofSeconds(30));

        assertThat(vitals().get(0).longest()).satisfies(told -> {
            assertThat(told.job()).isEqualTo(longest);
            assertThat(told.name()).isEqualTo("export");
            assertThat(told.since()).isBetween(begin, begin.plusSeconds(1));
        });

        end.complete(null);
        cluster.time.advance(ofSeconds(10));
        assertThat(vitals().get(0).longest()).isNull();
    }

    @Test
    void pauseFromCode_namesItsInstance() {
        Cluster.Member first = member("a");
        cluster.time.advance(ofSeconds(10));

        first.tester().operations().pause("mail");
        first.tester().operations().pauseQueue("default", "ann", "the database moves");

        assertThat(first.tester().operations().pauses())
                .extracting(
                        PausedName::name,
                        pause -> pause.note().by(),
                        pause -> pause.note().reason())
                .satisfies(pauses -> {
                    assertThat(pauses.get(0).toList().get(1)).asString().startsWith("a");
                    assertThat(pauses.get(0).toList().get(2)).isNull();
                    assertThat(pauses.get(1).toList()).containsExactly("default", "ann", "the database moves");
                });
        assertThat(first.tester().operations().pauses())
                .allSatisfy(pause -> assertThat(pause.note().since())
                        .isEqualTo(cluster.time.clock().storeTime()));
    }
}
