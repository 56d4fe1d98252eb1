package io.delayjob.client;

import io.delayjob.job.AnswerResult;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.MediaType;

/** Implements {@link Answers} over HTTP. Thread-safe. */
record RemoteAnswers(Server server) implements Answers {

    @Override
    public AnswerResult done(String ticket) {
        return answer(ticket, Map.of("outcome", "done"));
    }

    @Override
    public AnswerResult done(String ticket, Object result) {
        Stated.notNull(result, "result", "must be a value; use done(ticket) for none");
        return answer(ticket, Map.of("outcome", "done", "result", result));
    }

    @Override
    public AnswerResult failed(String ticket, String reason) {
        return failed(ticket, reason, Boolean.TRUE);
    }

    @Override
    public AnswerResult failedForGood(String ticket, String reason) {
        return failed(ticket, reason, Boolean.FALSE);
    }

    private AnswerResult failed(String ticket, String reason, Boolean retriable) {
        Stated.notNull(reason, "reason of a failed answer", "must say what went wrong outside");
        return answer(ticket, Map.of("outcome", "failed", "reason", reason, "retriable", retriable));
    }

    @Override
    public AnswerResult stillWorking(String ticket, Duration within) {
        Stated.notNull(within, "time for an answer", "must be 1 ms or more; the attempt fails when it is over");
        return answer(ticket, Map.of("outcome", "working", "within", within.toString()));
    }

    /** The answer goes to the configured server, even if the ticket names another server. */
    private AnswerResult answer(String ticket, Map<String, Object> body) {
        Stated.notNull(ticket, "ticket", "must be the text of a ticket, as from DelayedCall.answerTo()");
        Server.Answer answer = server.send(http -> http.post()
                .uri("/answers/{ticket}", ticket)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body));
        return switch (answer.problem()) {
            case "not-found" -> AnswerResult.NOT_FOUND;
            default -> {
                if (answer.text("result").isEmpty()) {
                    throw Server.refusal(answer);
                }
                yield Server.value(AnswerResult.class, answer, "result");
            }
        };
    }
}
