package io.delayjob.test;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobState;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests attempts that log lines for their job. */
class LogInVirtualTimeTest {

    private final Cluster cluster = new Cluster();
    private final List<JobContext> contexts = new ArrayList<>();
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();
    private final Cluster.Member member = cluster.join("a", cluster.memory, UnaryOperator.identity());
    private final DelayJobOperations jobs = member.tester().operations();

    private void register(Handler.Builder handler) {
        member.tester().register(handler.calls((arguments, job) -> {
            contexts.add(job);
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            return end;
        }));
        cluster.time.advance(ofMinutes(1));
    }

    private JobId running(String name) {
        JobId id = jobs.schedule(name).now().id();
        cluster.time.advance(ofSeconds(1));
        return id;
    }

    private Instant now() {
        return cluster.time.clock().storeTime();
    }

    private JobLog left(JobId id) {
        return jobs.find(id).orElseThrow().log();
    }

    private static List<String> messages(JobLog log) {
        return log.lines().stream().map(JobLog.Line::message).toList();
    }

    @Test
    void lines_areSeenAtOnceHere_elsewhereWithTheNextHeartbeat_andStayWithTheEndedJob() {
        DelayJobOperations elsewhere = cluster.join("b", cluster.memory, UnaryOperator.identity())
                .tester()
                .operations();
        register(Handler.named("import"));
        JobId id = running("import");
        Instant first = now();
        contexts.get(0).log("page 1 of 40");
        cluster.time.advance(ofSeconds(1));
        contexts.get(0).log("page 2 of 40");
        JobLog expected = new JobLog(
                1,
                List.of(new JobLog.Line(first, "page 1 of 40"), new JobLog.Line(first.plusSeconds(1), "page 2 of 40")));

        assertThat(jobs.log(id)).contains(expected);
        assertThat(left(id)).as("the row of a running job").isNull();
        cluster.time.advance(ofSeconds(10));
        assertThat(elsewhere.log(id)).contains(expected);

        contexts.get(0).log("page 3 of 40");
        ends.get(0).complete(null);
        cluster.time.advance(ofSeconds(1));
        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        assertThat(messages(left(id))).containsExactly("page 1 of 40", "page 2 of 40", "page 3 of 40");
        assertThat(elsewhere.log(id)).contains(left(id));
    }

    @Test
    void oldLines_giveWayToNewOnes() {
        register(Handler.named("import"));
        JobId id = running("import");
        IntStream.rangeClosed(1, 100).forEach(page -> contexts.get(0).log("page " + page));

        ends.get(0).complete(null);
        cluster.time.advance(ofSeconds(1));

        assertThat(messages(left(id)))
                .containsExactlyElementsOf(IntStream.rangeClosed(93, 100)
                        .mapToObj(page -> "page " + page)
                        .toList());
    }

    @Test
    void lines_ofAFailedAttempt_areSeenWhileTheRetryWaits_untilAnAttemptLogsOthers() {
        register(Handler.named("import").retry(RetryPolicy.gaps(ofHours(1), ofHours(1), ofHours(1))));
        JobId id = running("import");
        contexts.get(0).log("the partner is away");
        ends.get(0).completeExceptionally(new IllegalStateException("away"));
        cluster.time.advance(ofSeconds(1));

        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.DELAYED);
        assertThat(messages(left(id))).containsExactly("the partner is away");

        cluster.time.advance(ofHours(1));
        ends.get(1).completeExceptionally(new IllegalStateException("away"));
        cluster.time.advance(ofSeconds(1));
        assertThat(left(id).attempt()).as("the second attempt logged nothing").isEqualTo(1);

        cluster.time.advance(ofHours(1));
        contexts.get(2).log("all done");
        ends.get(2).complete(null);
        cluster.time.advance(ofSeconds(1));
        assertThat(left(id).attempt()).isEqualTo(3);
        assertThat(messages(left(id))).containsExactly("all done");
    }

    @Test
    void lines_ofARepeatingJob_areThoseOfItsLastRun() {
        member.tester().register(Handler.named("count").calls((arguments, job) -> {
            job.log("run " + job.run());
            return Next.done(job.run());
        }));
        JobId id =
                jobs.schedule("count").repeat(Repeat.every(ofHours(1)).times(3)).id();

        cluster.time.advance(ofHours(2).plusMinutes(1));
        assertThat(messages(left(id))).containsExactly("run 2");
        assertThat(jobs.find(id).orElseThrow().result()).isNull();

        cluster.time.advance(ofHours(1));
        assertThat(messages(left(id))).containsExactly("run 3");
        assertThat(jobs.find(id).orElseThrow().result()).isEqualTo("3");
    }

    @Test
    void lines_ofAJobWhoseCancellationWasRequested_stay() {
        register(Handler.named("import"));
        JobId id = running("import");
        contexts.get(0).log("page 1");
        jobs.cancel(id);
        ends.get(0).completeExceptionally(new IllegalStateException("stopped half-way"));
        cluster.time.advance(ofSeconds(1));

        assertThat(jobs.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(messages(left(id))).containsExactly("page 1");
    }

    @Test
    void jobWithLines_canBeAskedForAgainById() {
        register(Handler.named("import"));
        JobId id = JobId.parse("01234567-89ab-7cde-8000-000000000001");
        jobs.schedule("import").id(id).now();
        cluster.time.advance(ofSeconds(1));
        contexts.get(0).log("page 1");
        ends.get(0).complete(null);
        cluster.time.advance(ofSeconds(1));

        assertThat(jobs.schedule("import").id(id).now().state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void jobThatLogsNothing_getsNoExtras() {
        register(Handler.named("import"));
        JobId id = running("import");
        ends.get(0).complete(null);
        cluster.time.advance(ofSeconds(1));

        assertThat(jobs.find(id).orElseThrow().task().extras()).isNull();
        assertThat(jobs.log(id)).isEmpty();
    }

    @Test
    void noMessage_isRefused() {
        register(Handler.named("import"));
        running("import");

        assertThatThrownBy(() -> contexts.get(0).log(null)).hasMessageContaining("message of a log line");
    }

    @Test
    void tester_showsReportsOfARunningAttempt_withoutAHeartbeat() {
        DelayJobTester tester = DelayJobTester.create();
        CompletableFuture<Void> end = new CompletableFuture<>();
        tester.register(Handler.named("import").calls((arguments, job) -> {
            job.progress(17, 40);
            job.log("page 17");
            return end;
        }));
        JobId id = tester.operations().schedule("import").now().id();

        tester.runDue();

        assertThat(tester.operations().progress(id).orElseThrow().done()).isEqualTo(17);
        assertThat(messages(tester.operations().log(id).orElseThrow())).containsExactly("page 17");
    }
}
