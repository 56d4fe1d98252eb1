package io.delayjob.client;

import io.delayjob.job.AnswerResult;
import java.time.Duration;

/**
 * Sends answers to attempts that await an answer from outside, through the REST API of the server whose jobs they are.
 * If the server does not respond, the request is repeated. If the server has already accepted the first request, the
 * result is then {@link AnswerResult#NOT_AWAITED}. Thread-safe.
 *
 * <pre>{@code
 * answers.done(call.answerTo());
 * }</pre>
 */
public interface Answers {

    /** Answers that the work is done: the run has succeeded. */
    AnswerResult done(String ticket);

    /**
     * Answers that the work is done, and has a result. If the job ends with this run, the result stays in the history
     * as long as the job, and the next job of its chain gets it.
     *
     * @param result a value that is written as JSON, of at most 16 KB
     */
    AnswerResult done(String ticket, Object result);

    /** Answers that the work has failed and may be tried again: the job's retry policy decides. */
    AnswerResult failed(String ticket, String reason);

    /** Answers that the work has failed, and that another attempt would fail, too. */
    AnswerResult failedForGood(String ticket, String reason);

    /** Answers that the work goes on: the next answer must come within this time, counted from now. */
    AnswerResult stillWorking(String ticket, Duration within);
}
