package io.delayjob.client;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.StoreException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Answers from the client, as the starter configures it. */
class RemoteAnswersTest {

    private static final JobServer server = NamedJobsContract.SERVER;

    private static void client(URI url, Consumer<Answers> use, String... properties) {
        RemoteNamedJobsTest.client(url, context -> use.accept(context.getBean(Answers.class)), properties);
    }

    /** A job that awaits an answer for an hour. */
    private static JobId awaiting() {
        JobId id = server.operations()
                .schedule("remind")
                .with(Map.of("orderId", 1))
                .now()
                .id();
        server.claim(id);
        server.await(id);
        return id;
    }

    private static Job job(JobId id) {
        return server.operations().find(id).orElseThrow();
    }

    @Test
    void answers_areTaken_andEndTheJobAsTheySay() {
        JobId done = awaiting();
        JobId withResult = awaiting();
        JobId failed = awaiting();
        client(server.url(), answers -> {
            assertThat(answers.done(server.ticket(done))).isEqualTo(AnswerResult.TAKEN);
            assertThat(answers.done(server.ticket(withResult), Map.of("rows", 7)))
                    .isEqualTo(AnswerResult.TAKEN);
            assertThat(answers.failedForGood(server.ticket(failed), "no van")).isEqualTo(AnswerResult.TAKEN);
        });

        assertThat(job(done).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(withResult).state()).isEqualTo(JobState.FINISHED);
        assertThat(job(withResult).result()).isEqualTo("{\"rows\":7}");
        assertThat(job(failed).state()).isEqualTo(JobState.FAILED);
        assertThat(job(failed).failure().message()).isEqualTo("no van");
    }

    @Test
    void unfinishedWork_movesTheDeadline_andAFailureIsRetried() {
        JobId id = awaiting();
        client(server.url(), answers -> {
            assertThat(answers.stillWorking(server.ticket(id), ofHours(5))).isEqualTo(AnswerResult.TAKEN);
            assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
            assertThat(Duration.between(job(id).scheduledAt(), job(id).dueAt())).isGreaterThan(ofMinutes(299));

            assertThat(answers.failed(server.ticket(id), "no van today")).isEqualTo(AnswerResult.TAKEN);
            assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
            assertThat(job(id).failures()).isEqualTo(1);
        });
    }

    @Test
    void answersThatComeTooLate_areToldSo() {
        JobId answered = awaiting();
        JobId cancelled = awaiting();
        String ticket = server.ticket(answered);
        String ofCancelled = server.ticket(cancelled);
        server.operations().cancel(cancelled);
        client(server.url(), answers -> {
            answers.done(ticket);

            assertThat(answers.done(ticket)).isEqualTo(AnswerResult.NOT_AWAITED);
            assertThat(answers.done(ofCancelled)).isEqualTo(AnswerResult.CANCELLED);
            assertThat(answers.done("forged")).isEqualTo(AnswerResult.NOT_FOUND);
        });
    }

    @Test
    void answerWhoseResponseWasLost_isSentAgain_andHearsThatItIsNoLongerAwaited() throws Exception {
        JobId id = awaiting();
        String ticket = server.ticket(id);
        try (SpoilingProxy proxy = new SpoilingProxy(server.url(), 1)) {
            client(proxy.url(), answers -> assertThat(answers.done(ticket)).isEqualTo(AnswerResult.NOT_AWAITED));
        }
        assertThat(job(id).state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void badInputAndWrongPassword_areRefused() {
        JobId id = awaiting();
        String ticket = server.ticket(id);
        client(server.url(), answers -> {
            assertThatIllegalArgumentException().isThrownBy(() -> answers.done(null));
            assertThatIllegalArgumentException().isThrownBy(() -> answers.done(ticket, null));
            assertThatIllegalArgumentException().isThrownBy(() -> answers.failed(ticket, null));
            assertThatIllegalArgumentException().isThrownBy(() -> answers.stillWorking(ticket, null));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> answers.stillWorking(ticket, Duration.ZERO))
                    .withMessageContaining("must be 1 ms or more");
        });
        client(
                server.url(),
                answers -> assertThatThrownBy(() -> answers.done(ticket))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("status 401"),
                "delayjob.client.password=wrong");
        assertThat(job(id).state()).isEqualTo(JobState.AWAITING);
    }
}
