package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.AttemptLog;
import io.delayjob.settings.AttemptSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the attempts of a job. Rules of the job override rules of its handler, and rules of the handler
 * override the settings.
 *
 * @param retriesLeft {@code null} if unknown, or if the job has ended
 * @param timeout {@code null} if there is no timeout, or if the timeout is unknown
 */
record AttemptTerms(
        @Nullable Integer retriesLeft,
        @Nullable String retryPolicy,
        @Nullable Duration timeout,
        AttemptLog log) {

    static AttemptTerms of(Job job, @Nullable Handler handler, AttemptSettings settings) {
        RetryPolicy policy = policy(job, handler, settings);
        Duration timeout = handler == null || handler.timeout() == null ? settings.timeout() : handler.timeout();
        return new AttemptTerms(
                policy == null || job.state().isEnded() ? null : Math.max(0, policy.maxRetries() - job.failures()),
                policy == null ? null : policy.toString(),
                handler == null ? null : timeout,
                settings.log());
    }

    private static @Nullable RetryPolicy policy(Job job, @Nullable Handler handler, AttemptSettings settings) {
        if (job.retry() != null) {
            try {
                return RetryPolicy.parse(job.retry());
            } catch (IllegalArgumentException unreadableHere) {
                // Another version of delayjob wrote the retry policy.
                return null;
            }
        }
        if (handler == null) {
            return null;
        }
        if (handler.retry() != null) {
            return handler.retry();
        }
        return handler.delivery() == Delivery.AT_MOST_ONCE ? RetryPolicy.none() : settings.retry();
    }
}
