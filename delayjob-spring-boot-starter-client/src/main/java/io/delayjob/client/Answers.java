package io.delayjob.client;

import io.delayjob.job.AnswerResult;
import java.time.Duration;

/**
 * Sends answers to attempts that await an answer from outside. The answers go through the REST API of the server that
 * has the jobs. If the server does not respond, the request is repeated. If the first request had already ended the
 * attempt, the result of the repeated request is {@link AnswerResult#NOT_AWAITED}. Thread-safe.
 *
 * <pre>{@code
 * answers.done(call.answerTo());
 * }</pre>
 */
public interface Answers {

    /** Sends the answer that the work is done. The run then succeeds. */
    AnswerResult done(String ticket);

    /**
     * Sends the answer that the work is done and has a result. If the job ends with this run, the history keeps the
     * result, and the next job of the chain gets it.
     *
     * @param result the result, which is written as JSON of at most 16 KB
     */
    AnswerResult done(String ticket, Object result);

    /**
     * Sends the answer that the work has failed. The retry policy of the job decides whether another attempt follows.
     */
    AnswerResult failed(String ticket, String reason);

    /** Sends the answer that the work has failed, and that another attempt would also fail. */
    AnswerResult failedForGood(String ticket, String reason);

    /**
     * Sends the answer that the work is still running. The next answer must come within this time, counted from now.
     */
    AnswerResult stillWorking(String ticket, Duration within);
}
