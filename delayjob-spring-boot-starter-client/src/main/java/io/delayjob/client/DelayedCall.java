package io.delayjob.client;

import io.delayjob.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call that an HTTP target has sent to this application. The signature and the age of the call were checked. Declare
 * a parameter of this type in a controller method. The path of the method must match {@code
 * delayjob.client.hooks.paths}:
 *
 * <pre>{@code
 * @PostMapping("/hooks/exports")
 * ResponseEntity<Void> export(@RequestBody Export export, DelayedCall call) {
 *     exports.start(export, call.answerTo());
 *     return ResponseEntity.accepted().build();
 * }
 * }</pre>
 *
 * <p>The same call can come more than once, because attempts are repeated. In addition, an attacker can send a recorded
 * call again until the call is five minutes old. To recognise a repeated call, save its {@link #id()}.
 *
 * @param id the identifier of the run, which is the same for all attempts of the run. It contains the job's id, the
 *     run's number and the scheduling time, separated by colons
 * @param sentAt the time of this attempt, by the server's clock
 * @param attempt the number of the attempt; the signature does not cover this number
 * @param answerTo the ticket for {@link Answers}; {@code null} if no answer is awaited. The signature does not cover
 *     this ticket
 */
public record DelayedCall(
        String id, Instant sentAt, int attempt, @Nullable String answerTo) {

    private static final String SEPARATOR = ":";

    /** Returns the id of the job. */
    public JobId job() {
        return JobId.parse(id.split(SEPARATOR)[0]);
    }

    /** Returns the number of the run, from 1. */
    public int run() {
        return Integer.parseInt(id.split(SEPARATOR)[1]);
    }
}
