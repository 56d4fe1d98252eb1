package io.delayjob.http;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.target.RefusedByTargetException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The HTTP response to a call to a target, and its meaning for the job.
 *
 * @param retryAfter value of {@code Retry-After}, or {@code null}
 * @param excerpt beginning of the body, without secrets
 */
record Answered(int status, @Nullable String retryAfter, String excerpt) {

    private static final Set<Integer> ASK_FOR_REST = Set.of(429, 503);
    private static final Set<Integer> RETRIED = Set.of(408, 425, 429);

    /**
     * @param answerWithin maximum time until the later answer of the receiver; {@code null} if no answer follows
     * @throws UnsuccessfulCallException if the retry policy decides whether the call is repeated
     * @throws RefusedByTargetException if no repetition can succeed
     */
    Next next(String target, JobContext job, @Nullable Duration answerWithin, Instant now) {
        if (status == 202 && answerWithin != null) {
            return Next.awaitAnswer(answerWithin);
        }
        if (status >= 200 && status < 300) {
            return Next.asPlanned();
        }
        Optional<Duration> rest = ASK_FOR_REST.contains(status) ? RetryAfter.parse(retryAfter, now) : Optional.empty();
        if (rest.isPresent()) {
            job.rest(rest.get());
            return Next.snooze(RetryAfter.spread(rest.get(), 31 * job.id().hashCode() + job.attempt()));
        }
        if (status >= 500 || RETRIED.contains(status)) {
            throw new UnsuccessfulCallException(said(target), null);
        }
        throw new RefusedByTargetException(
                said(target) + (status < 400 ? " (redirects are not followed; correct the target's URL)" : ""));
    }

    private String said(String target) {
        HttpStatus known = HttpStatus.resolve(status);
        return "Target '%s' answered %d%s%s"
                .formatted(
                        target,
                        status,
                        known == null ? "" : " " + known.getReasonPhrase(),
                        excerpt.isEmpty() ? "" : ": " + excerpt);
    }
}
