package io.delayjob.client;

import io.delayjob.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A verified call to an HTTP target: the call's signature and age were checked. Declare an argument of this type in a
 * controller method below {@code delayjob.client.hooks.paths}:
 *
 * <pre>{@code
 * @PostMapping("/hooks/exports")
 * ResponseEntity<Void> export(@RequestBody Export export, DelayedCall call) {
 *     exports.start(export, call.answerTo());
 *     return ResponseEntity.accepted().build();
 * }
 * }</pre>
 *
 * <p>The same call may come more than once, because attempts are repeated. In addition, somebody who has recorded a
 * call can send it again within five minutes. If the effect must not be repeated, store {@link #id()}.
 * @param id the id of the run, the same for all attempts of the run. The id has three parts with colons between them:
 *     the job, the number of the run, and the time at which the job was scheduled
 * @param sentAt time of this attempt, by the server's clock
 * @param attempt number of the attempt; the signature of the call does not cover this number
 * @param answerTo text of the ticket for {@link Answers}; {@code null} if no answer is awaited. The call's signature
 * does not cover it, because the server verifies the ticket itself
 */
public record DelayedCall(
        String id, Instant sentAt, int attempt, @Nullable String answerTo) {

    private static final String SEPARATOR = ":";

    /** Returns the job. */
    public JobId job() {
        return JobId.parse(id.split(SEPARATOR)[0]);
    }

    /** Returns the number of the run, from 1. */
    public int run() {
        return Integer.parseInt(id.split(SEPARATOR)[1]);
    }
}
