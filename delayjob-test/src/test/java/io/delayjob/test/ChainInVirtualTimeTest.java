package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.ScheduledChain;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.HistorySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests chains in virtual time. */
class ChainInVirtualTimeTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final VirtualTime time = new VirtualTime(START);
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final List<String> calls = new ArrayList<>();
    private DelayJobTester tester = tester(Duration.ofDays(1));

    private DelayJobTester tester(Duration keepFinished) {
        return DelayJobTester.builder()
                .time(time)
                .store(store)
                .settings(settings -> settings.unreadablePayloadAfter(ofMinutes(5))
                        .history(new HistorySettings(
                                keepFinished, Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO)))
                .build();
    }

    /** Registers a handler that records its argument and returns {@code next}. */
    private void handler(String name, Next next) {
        tester.register(Handler.named(name)
                .parameters(List.of(
                        new PayloadParameter("file", String.class), new PayloadParameter("rows", Integer.class)))
                .calls((arguments, job) -> {
                    calls.add("%s %s after %s"
                            .formatted(
                                    name,
                                    arguments,
                                    Duration.between(START, time.clock().storeTime())));
                    return next;
                }));
    }

    private void bare(String name, Next next) {
        tester.register(Handler.named(name).calls((arguments, job) -> {
            calls.add(name);
            return next;
        }));
    }

    private Job job(JobId id) {
        return tester.operations().find(id).orElseThrow();
    }

    @Test
    void result_isTheLastArgumentOfTheJobThatFollowsAtOnce() {
        bare("load", Next.done(4711));
        handler("check", Next.done("ok"));
        bare("report", Next.asPlanned());
        ScheduledChain chain = tester.operations()
                .schedule("load")
                .label("import")
                .then("check")
                .with(Map.of("file", "a.csv"))
                .then("report")
                .startAfter(ofMinutes(5));

        tester.advance(ofMinutes(5).plusMillis(100));

        assertThat(calls).hasSize(3).first().isEqualTo("load");
        assertThat(calls.get(1)).startsWith("check [a.csv, 4711] after PT5M");
        assertThat(calls.get(2)).isEqualTo("report");
        Job last = job(chain.followers().get(1));
        assertThat(last.state()).isEqualTo(JobState.FINISHED);
        assertThat(last.follows()).isEqualTo(chain.followers().get(0));
        assertThat(last.labels()).containsExactly("import");
        assertThat(job(chain.followers().get(0)).result()).isEqualTo("ok");
        assertThat(job(chain.first().id()).result()).isEqualTo("4711");
    }

    @Test
    void resultOfAJobThatIsNotKept_isPassedOn() {
        tester = tester(Duration.ZERO);
        bare("load", Next.done(4711));
        handler("check", Next.asPlanned());
        tester.operations()
                .schedule("load")
                .then("check")
                .with(Map.of("file", "a.csv"))
                .now();

        tester.advance(ofMinutes(1));

        assertThat(calls).hasSize(2).last().asString().startsWith("check [a.csv, 4711]");
    }

    @Test
    void resultOfAnAnswerFromOutside_isPassedOn() {
        AtomicReference<AnswerTicket> ticket = new AtomicReference<>();
        tester.register(Handler.named("load").calls((arguments, job) -> {
            ticket.set(job.ticket());
            return Next.awaitAnswer(ofHours(1));
        }));
        handler("check", Next.asPlanned());
        ScheduledChain chain = tester.operations()
                .schedule("load")
                .then("check")
                .with(Map.of("file", "a.csv"))
                .now();
        tester.advance(ofMinutes(1));
        assertThat(calls).isEmpty();

        tester.operations().answer(ticket.get(), Answer.of(Next.done(1)));
        tester.advance(Duration.ofMillis(100));

        assertThat(calls).hasSize(1).first().asString().startsWith("check [a.csv, 1] after PT1M");
        assertThat(job(chain.followers().get(0)).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void missingResult_failsAJobThatNeedsIt() {
        bare("load", Next.asPlanned());
        handler("check", Next.asPlanned());
        ScheduledChain chain = tester.operations()
                .schedule("load")
                .then("check")
                .with(Map.of("file", "a.csv"))
                .now();

        tester.advance(ofHours(1));

        Job failed = job(chain.followers().get(0));
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(failed.failure().message()).contains("rows");
    }

    @Test
    void failedJob_keepsTheRestOfItsChain_andItsRetryContinuesIt() {
        AtomicReference<RuntimeException> fault = new AtomicReference<>(new IllegalStateException("no file"));
        tester.register(Handler.named("load").retry(RetryPolicy.none()).calls((arguments, job) -> {
            if (fault.get() != null) {
                throw fault.get();
            }
            return null;
        }));
        bare("report", Next.asPlanned());
        ScheduledChain chain =
                tester.operations().schedule("load").then("report").now();
        tester.advance(ofMinutes(1));
        assertThat(job(chain.first().id()).state()).isEqualTo(JobState.FAILED);
        assertThat(calls).isEmpty();

        fault.set(null);
        tester.operations().retry(chain.first().id());
        tester.advance(ofMinutes(1));

        assertThat(calls).containsExactly("report");
        assertThat(job(chain.followers().get(0)).follows())
                .isEqualTo(chain.first().id());
    }

    @Test
    void thenAlways_followsAFailure_andFindsIt() {
        tester.register(Handler.named("load").retry(RetryPolicy.none()).calls((arguments, job) -> {
            throw new IllegalStateException("no file");
        }));
        tester.register(Handler.named("clean-up").calls((arguments, job) -> {
            calls.add(String.valueOf(job(job.follows()).failure()));
            return null;
        }));
        bare("never", Next.asPlanned());
        ScheduledChain chain =
                tester.operations().schedule("load").thenAlways("clean-up").now();
        tester.operations()
                .schedule("load")
                .then("never")
                .thenAlways("clean-up")
                .now();

        tester.advance(ofMinutes(1));

        assertThat(calls).containsExactly("java.lang.IllegalStateException: no file");
        assertThat(job(chain.first().id()).extras().follower().id())
                .isEqualTo(chain.followers().get(0));
    }

    @Test
    void followerOfARepeatingJob_comesAfterTheLastRun_evenIfThatWasLeftOut() {
        bare("load", Next.asPlanned());
        bare("report", Next.asPlanned());
        tester.operations()
                .schedule("load")
                .then("report")
                .repeatFirst(Repeat.every(ofHours(1)).times(2));
        tester.operations()
                .schedule("load")
                .expiresAfter(ofMinutes(1))
                .then("report")
                .repeatFirst(Repeat.every(ofHours(10)).times(1));

        tester.advance(ofHours(3));
        assertThat(calls).containsExactly("load", "load", "report");

        tester.operations().pause("load");
        tester.advance(ofHours(8));
        tester.operations().resume("load");
        tester.advance(ofHours(1));
        assertThat(calls).containsExactly("load", "load", "report", "report");
    }

    @Test
    void chain_goesOnWhenAnInstanceDies() {
        Cluster cluster = new Cluster();
        List<Cluster.Member> members = List.of(cluster.join("a"), cluster.join("b"), cluster.join("c"));
        AtomicReference<Cluster.Member> hanging = new AtomicReference<>();
        members.forEach(member -> {
            for (String name : List.of("load", "check", "report")) {
                member.tester().register(Handler.named(name).calls((arguments, job) -> {
                    calls.add(name);
                    boolean hangs = name.equals("check") && hanging.compareAndSet(null, member);
                    return hangs ? new CompletableFuture<>() : null;
                }));
            }
        });
        cluster.time.advance(ofMinutes(1));
        members.get(0)
                .tester()
                .operations()
                .schedule("load")
                .then("check")
                .then("report")
                .now();
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(calls).containsExactly("load", "check");

        hanging.get().process().kill();
        cluster.time.advance(ofMinutes(1));

        assertThat(calls).containsExactly("load", "check", "check", "report");
    }
}
