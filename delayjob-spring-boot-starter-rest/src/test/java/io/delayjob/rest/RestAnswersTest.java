package io.delayjob.rest;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.spring.AnswerTickets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers from outside, by signed tickets. */
class RestAnswersTest {

    private static final String ROOT = "/delayjob/v1";
    private static final String DONE = "{\"outcome\":\"done\"}";

    private static final ApiServer server = ApiServer.start(ApiServer.ANSWERS);

    private final AnswerTickets tickets = server.context.getBean(AnswerTickets.class);

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A job whose attempt awaits an answer for an hour. */
    static AnswerTicket awaiting(ApiServer server) {
        return awaiting(server, submitted(server));
    }

    private static String submitted(ApiServer server) {
        return server.post("all", ROOT + "/jobs", "{\"name\":\"elsewhere\"}").text("id");
    }

    private static AnswerTicket awaiting(ApiServer server, String id) {
        return attempted(server, id, new JobOutcome.Awaited(ofHours(1)));
    }

    /** Lets an attempt end so that the job waits for an hour. */
    private static AnswerTicket attempted(ApiServer server, String id, JobOutcome outcome) {
        server.claim(id);
        Job running = server.store.find(JobId.parse(id)).orElseThrow();
        server.store.complete(List.of(new Completion(
                running,
                outcome,
                new Transition.Again(
                        running.run(),
                        running.plannedAt(),
                        running.dueAt().plus(ofHours(1)),
                        0,
                        outcome instanceof JobOutcome.Awaited),
                running.token() + 1,
                running.dueAt(),
                null,
                true,
                List.of())));
        return new AnswerTicket(running.id(), running.scheduledAt(), running.run(), running.attempt());
    }

    private static ApiServer.Answer answer(String ticket, String body) {
        return server.post("answerer", ROOT + "/answers/" + ticket, body);
    }

    private static Job job(AnswerTicket ticket) {
        return server.store.find(ticket.job()).orElseThrow();
    }

    @Test
    void doneAnswer_isTakenOnce() {
        AnswerTicket ticket = awaiting(server);
        assertThat(server.get("reader", ROOT + "/jobs/" + ticket.job()).text("state"))
                .isEqualTo("AWAITING");

        ApiServer.Answer first = answer(tickets.write(ticket), DONE);
        ApiServer.Answer second = answer(tickets.write(ticket), DONE);

        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.text("result")).isEqualTo("TAKEN");
        assertThat(job(ticket).state()).isEqualTo(JobState.FINISHED);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.text("type")).isEqualTo("urn:delayjob:not-awaited");
        assertThat(second.text("result")).isEqualTo("NOT_AWAITED");
    }

    @Test
    void resultOfADoneAnswer_staysWithTheJob_andGoesToTheNextOfItsChain() {
        ApiServer.Answer chain =
                server.post("all", ROOT + "/jobs", "{\"name\":\"elsewhere\",\"then\":[{\"name\":\"remind\"}]}");
        AnswerTicket ticket = awaiting(server, chain.text("id"));

        ApiServer.Answer taken = answer(tickets.write(ticket), "{\"outcome\":\"done\",\"result\":4711}");

        assertThat(taken.text("result")).as(taken.text()).isEqualTo("TAKEN");
        assertThat(job(ticket).result()).isEqualTo("4711");
        Job next = server.store
                .find(JobId.parse(chain.json().path("followers").path(0).asString()))
                .orElseThrow();
        assertThat(next.name()).isEqualTo("remind");
        assertThat(next.payload()).isEqualTo("{\"orderId\":4711}");
    }

    @Test
    void failedForGood_failsTheJobWithTheReason() {
        AnswerTicket ticket = awaiting(server);

        assertThat(answer(tickets.write(ticket), "{\"outcome\":\"failed\",\"reason\":\"no van\",\"retriable\":false}")
                        .text("result"))
                .isEqualTo("TAKEN");

        assertThat(job(ticket).state()).isEqualTo(JobState.FAILED);
        assertThat(String.valueOf(job(ticket).failure())).contains("no van");
    }

    @Test
    void workingMovesTheDeadline_andFailedIsLeftToTheHandlersRules() {
        AnswerTicket ticket = awaiting(server);

        assertThat(answer(tickets.write(ticket), "{\"outcome\":\"working\",\"within\":\"PT5H\"}")
                        .text("result"))
                .isEqualTo("TAKEN");
        assertThat(job(ticket).progress().awaiting()).isTrue();
        Instant moved = job(ticket).dueAt();
        assertThat(answer(tickets.write(ticket), "{\"outcome\":\"failed\",\"reason\":\"no van\"}")
                        .text("result"))
                .isEqualTo("TAKEN");
        assertThat(job(ticket).progress().awaiting())
                .as("the handler is on another instance")
                .isTrue();
        assertThat(job(ticket).dueAt()).isBefore(moved.minus(ofHours(4)));
    }

    @Test
    void answerToACancelledJob_saysThatTheWorkMayStop() {
        AnswerTicket ticket = awaiting(server);
        server.delete("changer", ROOT + "/jobs/" + ticket.job());

        ApiServer.Answer answer = answer(tickets.write(ticket), DONE);

        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.text("type")).isEqualTo("urn:delayjob:cancelled");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"outcome\":\"working\"}",
                "{\"outcome\":\"working\",\"within\":\"PT0S\"}",
                "{\"outcome\":\"working\",\"within\":\"-PT1H\"}",
                "{\"outcome\":\"working\",\"within\":\"soon\"}",
                "{\"outcome\":\"done\",\"reason\":\"x\"}",
                "{\"outcome\":\"done\",\"next\":\"-PT1S\"}",
                "{\"outcome\":\"done\",\"next\":\"PT1H\",\"result\":1}",
                "{\"outcome\":\"failed\",\"result\":1}",
                "{\"outcome\":\"working\",\"within\":\"PT1H\",\"result\":1}",
                "{\"outcome\":\"failed\",\"within\":\"PT1S\"}"
            })
    void invalidAnswer_isRefusedAndChangesNothing(String body) {
        AnswerTicket ticket = awaiting(server);

        ApiServer.Answer answer = answer(tickets.write(ticket), body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text("type")).isEqualTo("urn:delayjob:invalid-answer");
        assertThat(job(ticket).progress().awaiting()).isTrue();
    }

    @Test
    void ticketWithAnyChangedPart_isUnknown() {
        AnswerTicket ticket = awaiting(server);
        String text = tickets.write(ticket);
        String foreign = new AnswerTickets("MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw", null, null).write(ticket);

        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            assertThat(answer(text.substring(0, i) + other + text.substring(i + 1), DONE)
                            .status())
                    .as("character %d", i)
                    .isEqualTo(404);
        }
        assertThat(answer(foreign, DONE).text("type")).isEqualTo("urn:delayjob:not-found");
        assertThat(answer("x", DONE).status()).isEqualTo(404);
        assertThat(job(ticket).progress().awaiting()).isTrue();
    }

    @Test
    void ticketOfAnEarlierAttempt_mayOnlyEndTheRun() {
        String id = submitted(server);
        AnswerTicket earlier =
                attempted(server, id, new JobOutcome.Failed(Failure.of(new IllegalStateException()), true));
        AnswerTicket present = awaiting(server, id);

        for (String outcome : List.of("{\"outcome\":\"failed\"}", "{\"outcome\":\"working\",\"within\":\"PT1H\"}")) {
            assertThat(answer(tickets.write(earlier), outcome).text("type")).isEqualTo("urn:delayjob:not-awaited");
        }
        assertThat(job(present).progress().awaiting()).isTrue();
        assertThat(answer(tickets.write(earlier), DONE).status()).isEqualTo(200);
    }

    @Test
    void ticketFromBeforeAReplacement_changesNothing() {
        AnswerTicket present = awaiting(server);
        AnswerTicket stale =
                new AnswerTicket(present.job(), present.scheduledAt().minusMillis(1), present.run(), present.attempt());

        assertThat(answer(tickets.write(stale), DONE).text("type")).isEqualTo("urn:delayjob:not-awaited");
        assertThat(job(present).progress().awaiting()).isTrue();
    }

    @Test
    void ticketUnderTheFormerSecret_countsOnlyWhileThatIsStated() {
        String present = "delayjob.answers.secret=MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw";
        String former = ApiServer.ANSWERS.replace("answers.secret", "answers.previous-secret");
        try (ApiServer both = ApiServer.start(present, former);
                ApiServer one = ApiServer.start(present)) {
            assertThat(both.post("answerer", ROOT + "/answers/" + tickets.write(awaiting(both)), DONE)
                            .status())
                    .isEqualTo(200);
            assertThat(one.post("answerer", ROOT + "/answers/" + tickets.write(awaiting(one)), DONE)
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void answers_needCredentialsByDefault() {
        String valid = tickets.write(awaiting(server));
        assertThat(server.post(null, ROOT + "/answers/" + valid, DONE).status()).isEqualTo(401);
        try (ApiServer open = ApiServer.start(ApiServer.ANSWERS, "delayjob.rest.open-answers=true")) {
            AnswerTicket ticket = awaiting(open);
            String text = open.context.getBean(AnswerTickets.class).write(ticket);

            assertThat(open.post(null, ROOT + "/answers/x" + text.substring(1), DONE)
                            .status())
                    .isEqualTo(404);
            assertThat(open.post(null, ROOT + "/answers/" + text, DONE).status())
                    .isEqualTo(200);
            assertThat(open.post(null, ROOT + "/jobs", "{\"name\":\"elsewhere\"}")
                            .status())
                    .isEqualTo(401);
            assertThat(open.get(null, ROOT + "/answers/" + text).status()).isEqualTo(401);
        }
    }

    @Test
    void withoutASecretForTickets_thereIsNoPathForAnswers() {
        try (ApiServer none = ApiServer.start("delayjob.rest.open-answers=true")) {
            assertThat(none.post("answerer", ROOT + "/answers/x", DONE).status())
                    .isIn(404, 405);
        }
    }
}
