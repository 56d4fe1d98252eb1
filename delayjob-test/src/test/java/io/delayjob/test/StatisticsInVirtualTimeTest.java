package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.job.AnswerTicket;
import io.delayjob.schedule.Repeat;
import io.delayjob.settings.HistorySettings;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.MinuteSum;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests the statistics of each minute, from the call of a handler to the read on any instance. */
class StatisticsInVirtualTimeTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private int recorded;
    private int purged;

    private final JobStore counted = new ForwardingStore(cluster.memory) {
        @Override
        public void recordMinutes(long owner, List<MinuteRow> rows) {
            recorded++;
            super.recordMinutes(owner, rows);
        }

        @Override
        public boolean purgeMinutes(Instant before) {
            purged++;
            return super.purgeMinutes(before);
        }
    };

    private Cluster.Member member(String name) {
        Cluster.Member member = cluster.join(name, counted, UnaryOperator.identity());
        member.tester().register(calls.named("job"));
        return member;
    }

    private static void schedule(Cluster.Member member, int jobs) {
        for (int i = 0; i < jobs; i++) {
            member.tester().operations().schedule("job").now();
        }
    }

    private static long starts(List<MinuteSum> sums) {
        return sums.stream().mapToLong(sum -> sum.counts().starts()).sum();
    }

    private static MinuteSpan firstMinutes(int buckets) {
        return new MinuteSpan(START, ofMinutes(1), buckets);
    }

    @Test
    void anyInstance_returnsTheStatisticsOfAllInstances() {
        Cluster.Member one = member("one");
        Cluster.Member other = member("other");
        cluster.time.advance(ofSeconds(10));
        schedule(one, 30);
        schedule(other, 12);
        cluster.time.advance(ofSeconds(52));

        assertThat(starts(one.tester().engine().minutes(firstMinutes(1)))).isEqualTo(42);
        assertThat(starts(other.tester().engine().minutes(firstMinutes(1)))).isEqualTo(42);
    }

    @Test
    void presentMinute_hasOnlyTheNumbersOfTheAskedInstance() {
        Cluster.Member one = member("one");
        cluster.time.advance(ofSeconds(10));
        schedule(one, 30);
        cluster.time.advance(ofSeconds(10));

        assertThat(recorded).isZero();
        assertThat(starts(one.tester().engine().minutes(firstMinutes(1)))).isEqualTo(30);
    }

    @Test
    void busyDay_costsOneStatementAMinute_andAnIdleOneNone() {
        Cluster.Member one = member("one");
        one.tester()
                .operations()
                .schedule("job")
                .repeat(Repeat.every(ofSeconds(20)).times(3 * 60));
        cluster.time.advance(ofHours(1));
        assertThat(recorded).isBetween(59, 61);
        cluster.time.advance(ofHours(3));

        assertThat(recorded).as("of an hour").isBetween(60, 61);
        assertThat(purged).as("once an hour").isEqualTo(4);
        assertThat(starts(one.tester().engine().minutes(new MinuteSpan(START, ofHours(1), 4))))
                .isEqualTo(180);
    }

    /** Answers often reach an instance of the web tier, which runs no jobs. */
    @Test
    void answerToAnInstanceThatRunsNoJobs_isCountedForAllInstances() {
        List<AnswerTicket> tickets = new ArrayList<>();
        Cluster.Member worker = cluster.join("worker", counted, UnaryOperator.identity());
        Cluster.Member web = cluster.join("web", counted, settings -> settings.worker(false));
        Handler ship = Handler.named("ship").calls((arguments, job) -> {
            tickets.add(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        });
        worker.tester().register(ship);
        web.tester().register(ship);
        worker.tester().operations().schedule("ship").now();
        cluster.time.advance(ofSeconds(10));

        web.tester().operations().answer(tickets.get(0), Answer.done());
        cluster.time.advance(ofSeconds(52));

        assertThat(worker.tester().engine().minutes(firstMinutes(1)))
                .extracting(sum -> sum.counts().succeeded())
                .containsExactly(1L);
    }

    @Test
    void stop_writesTheRunningMinute() {
        Cluster.Member leaving = member("leaving");
        Cluster.Member staying = member("staying");
        cluster.time.advance(ofSeconds(10));
        schedule(leaving, 20);
        cluster.time.advance(ofSeconds(10));

        leaving.tester().engine().stop();
        staying.tester().engine().stop();

        assertThat(starts(cluster.memory.minutes(firstMinutes(1)))).isEqualTo(20);
        leaving.tester().engine().start();
        schedule(leaving, 5);
        cluster.time.advance(ofMinutes(2));
        assertThat(starts(cluster.memory.minutes(firstMinutes(3))))
                .as("of both runs, in the same minute")
                .isEqualTo(25);
    }

    @Test
    void kill_losesTheRunningMinuteAndNoOther() {
        Cluster.Member doomed = member("doomed");
        cluster.time.advance(ofSeconds(30));
        schedule(doomed, 20);
        cluster.time.advance(ofSeconds(32));
        schedule(doomed, 3);
        cluster.time.advance(ofSeconds(1));
        assertThat(starts(doomed.tester().engine().minutes(firstMinutes(2)))).isEqualTo(23);

        doomed.process().kill();

        assertThat(starts(cluster.memory.minutes(firstMinutes(2)))).isEqualTo(20);
    }

    @Test
    void afterItsRetention_theMinuteIsForgotten() {
        Duration retention = ofHours(6);
        Cluster.Member one = cluster.join(
                "one",
                counted,
                settings -> settings.history(new HistorySettings(retention, retention, retention, retention)));
        one.tester().register(calls.named("job"));
        schedule(one, 3);
        cluster.time.advance(retention.minus(ofMinutes(2)));
        assertThat(starts(one.tester().engine().minutes(firstMinutes(1)))).isEqualTo(3);

        cluster.time.advance(ofHours(2));
        assertThat(one.tester().engine().minutes(firstMinutes(1))).isEmpty();
    }

    @Test
    void retentionOfZero_writesNothing() {
        Cluster.Member off = cluster.join(
                "off",
                counted,
                settings -> settings.history(new HistorySettings(ofHours(1), ofHours(1), ofHours(1), Duration.ZERO)));
        off.tester().register(Handler.named("job").calls((arguments, job) -> null));
        schedule(off, 3);
        cluster.time.advance(ofHours(3));

        assertThat(recorded + purged).isZero();
        assertThat(off.tester().engine().minutes(firstMinutes(1))).isEmpty();
        assertThat(off.tester().engine().minutesKept()).isZero();
    }
}
