package io.delayjob.rest;

import io.delayjob.handler.Answer;
import io.delayjob.handler.Next;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an attempt that awaits an answer from outside.
 *
 * @param retriable whether another attempt may follow a failure; true by default
 * @param within time until the next answer, if the work goes on; an ISO-8601 duration
 * @param next time until the next run, as an ISO-8601 duration. If it is absent, the next run comes as planned
 * @param result the result of work that is done, such as an object or a text
 */
record AnswerRequest(
        @Nullable Outcome outcome,
        @Nullable String reason,
        @Nullable Boolean retriable,
        @Nullable String within,
        @Nullable String next,
        @Nullable Object result)
        implements ApiBody {

    enum Outcome {
        DONE,
        FAILED,
        WORKING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Answer answer() {
        if (outcome == null) {
            throw Problem.INVALID_ANSWER.of("Missing 'outcome': must be done, failed or working; add it.");
        }
        return switch (outcome) {
            case DONE -> {
                refuse("reason", reason);
                refuse("retriable", retriable);
                refuse("within", within);
                yield done();
            }
            case FAILED -> {
                refuse("within", within);
                refuse("next", next);
                refuse("result", result);
                String why = reason == null ? "no reason given" : reason;
                yield Boolean.FALSE.equals(retriable) ? Answer.failedForGood(why) : Answer.failed(why);
            }
            case WORKING -> {
                refuse("reason", reason);
                refuse("retriable", retriable);
                refuse("next", next);
                refuse("result", result);
                if (within == null) {
                    throw Problem.INVALID_ANSWER.of(
                            "Missing 'within': must be the time until the next answer, such as PT1H; add it.");
                }
                yield Answer.stillWorking(duration("within", within));
            }
        };
    }

    private Answer done() {
        if (next == null) {
            return result == null ? Answer.done() : Answer.of(Next.done(result));
        }
        if (result != null) {
            throw Problem.INVALID_ANSWER.of(
                    "Invalid 'result' together with 'next': only the last run leaves a result; leave one of them out.");
        }
        return Answer.of(Next.after(duration("next", next)));
    }

    private void refuse(String field, @Nullable Object value) {
        if (value != null) {
            throw Problem.INVALID_ANSWER.of(
                    "Invalid '%s': does not belong to the outcome %s; leave it out.".formatted(field, outcome));
        }
    }

    private static Duration duration(String field, String text) {
        return TimeRequest.duration(Problem.INVALID_ANSWER, field, text);
    }
}
