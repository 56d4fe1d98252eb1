package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobQuery;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Checks that a job keeps its extras in every state. Extras are attributes that few jobs have. A store does not
 * interpret their text.
 */
interface ExtrasContract extends GivenStore {

    String EXTRAS = "expires PT10M\nlater \u00e9\\n";

    @Test
    default void extras_areClaimedRetriedAndEnded() {
        Job running = given().running(given().job().extras(EXTRAS));
        assertThat(running.task().extras()).isEqualTo(EXTRAS);
        given().complete(given().completing(running).retryAt(StoreScenario.NOW));
        Job again = given().claim(given().find(running.id()));
        assertThat(again.task().extras()).isEqualTo(EXTRAS);

        assertThat(given().complete(given().completing(again))).isEqualTo(CompletionResult.ACCEPTED);

        Job finished = given().find(running.id());
        assertThat(finished.state()).isEqualTo(JobState.FINISHED);
        assertThat(finished.task().extras()).isEqualTo(EXTRAS);
    }

    @Test
    default void extras_ofAFailedJob_comeBackWithItsRetry() {
        Job failed = given().failed(given().job().payload("1").extras(EXTRAS));
        assertThat(failed.task().extras()).isEqualTo(EXTRAS);

        given().store().retry(failed.id(), StoreScenario.NOW, 77, DueSink.NONE);

        assertThat(given().find(failed.id()).task().extras()).isEqualTo(EXTRAS);
    }

    @Test
    default void extras_ofACancelledJob_stay() {
        Job waiting = given().waiting(given().job().extras(EXTRAS));

        given().store().cancel(waiting.id(), StoreScenario.NOW);

        Job cancelled = given().find(waiting.id());
        assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
        assertThat(cancelled.task().extras()).isEqualTo(EXTRAS);
    }

    @Test
    default void extras_areReplacedWithTheJob_andStayWhenItIsPostponed() {
        Job first = given().waiting(given().job().key("42").extras(EXTRAS));

        given().submit(given().job().key("42", OnExisting.POSTPONE).extras("expires PT1H"));
        assertThat(given().find(first.id()).task().extras()).isEqualTo(EXTRAS);

        given().submit(given().job().key("42", OnExisting.REPLACE).extras("expires PT1H"));
        assertThat(given().find(first.id()).task().extras()).isEqualTo("expires PT1H");

        given().submit(given().job().key("42", OnExisting.REPLACE));
        assertThat(given().find(first.id()).task().extras()).isNull();
    }

    @Test
    default void extras_ofManyJobs_areWrittenWithEach() {
        List<NewJob> jobs = given().jobs(600).stream().map(JobDraft::toNewJob).toList();
        List<NewJob> some = jobs.stream()
                .map(job -> jobs.indexOf(job) % 2 == 0
                        ? job
                        : new NewJob(
                                job.id(),
                                job.partition(),
                                job.task().withExtras(EXTRAS),
                                job.plan(),
                                job.onExisting(),
                                job.token()))
                .toList();

        given().store().submit(some, DueSink.NONE);

        assertThat(some)
                .allSatisfy(job ->
                        assertThat(given().find(job.id()).task().extras()).isEqualTo(job.extras()));
    }

    @Test
    default void result_isKeptWithTheEnd_besideTheOtherExtras() {
        String result = "{\"rows\":4711,\"text\":\"\\n \u65e5\"}";
        Job plain = given().running(given().job());
        Job extra = given().running(given().job().extras(EXTRAS));

        assertThat(given().complete(
                                given().completing(plain).result(result),
                                given().completing(extra).result(result)))
                .containsOnly(CompletionResult.ACCEPTED);

        assertThat(given().find(plain.id()).state()).isEqualTo(JobState.FINISHED);
        assertThat(given().find(plain.id()).result()).isEqualTo(result);
        assertThat(given().find(extra.id()).result()).isEqualTo(result);
        assertThat(given().find(extra.id()).extras().withoutResult().toText()).isEqualTo(EXTRAS);
    }

    @Test
    default void result_ofTheGreatestLengthIsKept() {
        String result = "\\".repeat(16_384);
        Job running = given().running(given().job().extras(EXTRAS));

        given().complete(given().completing(running).result(result));

        assertThat(given().find(running.id()).result()).isEqualTo(result);
    }

    @Test
    default void result_ofAFencedAttempt_isNotKept() {
        Job lost = given().lost(given().job());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        Job again = given().claim(given().find(lost.id()));

        assertThat(given().complete(given().completing(lost).result("\"late\"")))
                .isEqualTo(CompletionResult.FENCED);
        given().complete(given().completing(again));

        assertThat(given().find(lost.id()).result()).isNull();
    }

    @Test
    default void log_isKeptWithEveryEnd_besideTheOtherExtras() {
        Job plain = given().running(given().job());
        Job withResult = given().running(given().job().extras(EXTRAS));
        Job failed = given().running(given().job().extras(EXTRAS));
        Job retried = given().running(given().job().extras(EXTRAS));
        Job awaiting = given().running(given().job());
        String message = "page 17 \\n \u65e5";

        assertThat(given().complete(
                                given().completing(plain).leaving(message),
                                given().completing(withResult).result("1").leaving(message),
                                given().completing(failed).failed("boom").leaving(message),
                                given().completing(retried)
                                        .retryAt(StoreScenario.NOW)
                                        .leaving(message),
                                given().completing(awaiting)
                                        .awaitingUntil(StoreScenario.NOW.plusSeconds(60))
                                        .leaving(message)))
                .containsOnly(CompletionResult.ACCEPTED);

        for (Job job : List.of(plain, withResult, failed, retried, awaiting)) {
            Job ended = given().find(job.id());
            assertThat(logOf(ended).lines()).extracting(JobLog.Line::message).containsExactly(message);
            assertThat(ended.extras().withoutResult().withLog(null).toText())
                    .isEqualTo(job.task().extras());
        }
        assertThat(given().find(withResult.id()).result()).isEqualTo("1");
        Job again = given().claim(given().find(retried.id()));
        given().complete(given().completing(again));
        assertThat(logOf(given().find(retried.id())).attempt())
                .as("the second attempt leaves no lines")
                .isEqualTo(1);
    }

    @Test
    default void log_ofAJobWhoseCancellationWasRequested_isKept() {
        Job retried = given().running(given().job().extras(EXTRAS));
        Job failed = given().running(given().job().extras(EXTRAS));
        given().store().cancel(retried.id(), StoreScenario.NOW);
        given().store().cancel(failed.id(), StoreScenario.NOW);

        assertThat(given().complete(
                                given().completing(retried)
                                        .retryAt(StoreScenario.NOW)
                                        .leaving("page 17"),
                                given().completing(failed).failed("boom").leaving("page 17")))
                .containsOnly(CompletionResult.ACCEPTED_CANCELLED);

        for (Job job : List.of(retried, failed)) {
            assertThat(given().find(job.id()).state()).isEqualTo(JobState.CANCELLED);
            assertThat(logOf(given().find(job.id())).lines()).hasSize(1);
        }
    }

    @Test
    default void log_ofAFencedAttempt_isNotKept() {
        Job lost = given().lost(given().job());
        given().store().rescue(List.of(lost.toDueRow()), StoreScenario.NOW, given().token());
        Job again = given().claim(given().find(lost.id()));

        assertThat(given().complete(given().completing(lost).leaving("late"))).isEqualTo(CompletionResult.FENCED);
        given().complete(given().completing(again));

        assertThat(given().find(lost.id()).log()).isNull();
    }

    @Test
    default void label_findsWholeLabels_amongWaitingAndEndedJobs() {
        String label = "customer:4_2%\\x";
        Job waiting = given().waiting(given().job().extras(labels("a", label, "z")));
        Job finished = given().finished(given().job().extras(labels(label)));
        given().waiting(given().job().extras(labels(label + "1")));
        given().waiting(given().job().extras(labels("customer:4_2%")));
        given().waiting(given().job().extras("result " + JobExtras.labelLine(label)));
        given().waiting(given().job());

        assertThat(found(JobQuery.state(JobState.READY).label(label))).containsExactly(waiting);
        assertThat(found(JobQuery.state(JobState.FINISHED).label(label))).containsExactly(finished);
        assertThat(found(JobQuery.state(JobState.READY).label("a").name(waiting.name())))
                .containsExactly(waiting);
        assertThat(found(JobQuery.state(JobState.READY).label("b"))).isEmpty();
    }

    private static JobLog logOf(Job job) {
        return Objects.requireNonNull(job.log(), "no lines");
    }

    private static String labels(String... labels) {
        JobExtras extras = JobExtras.NONE;
        for (String label : labels) {
            extras = extras.withLabel(label);
        }
        return Objects.requireNonNull(extras.toText());
    }

    private List<Job> found(JobQuery query) {
        return given().store().find(query, StoreScenario.NOW).jobs();
    }

    @Test
    default void cancelled_byItsAttempt_keepsTheReason() {
        Job running = given().running(given().job().payload("1"));
        Failure expired = Failure.of("Expired", "could not start within PT10M");

        assertThat(given().complete(given().completing(running).expired(expired)))
                .isEqualTo(CompletionResult.ACCEPTED);

        Job ended = given().find(running.id());
        assertThat(ended.state()).isEqualTo(JobState.CANCELLED);
        assertThat(ended.failure()).isEqualTo(expired);
        assertThat(ended.payload()).isNull();
    }
}
