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
 * Under which terms a job is attempted: as its handler here, or else the job itself, says.
 *
 * @param retriesLeft how many failures more the job survives in this run; {@code null} if unknown, or the job has ended
 * @param retryPolicy in words; {@code null} if unknown
 * @param timeout of an attempt; {@code null} if there is none, or it is unknown
 * @param log which attempts this instance logs
 */
record AttemptTerms(
        @Nullable Integer retriesLeft,
        @Nullable String retryPolicy,
        @Nullable Duration timeout,
        AttemptLog log) {

    /** @param handler its handler here; {@code null} if there is none, so that other instances may know other terms */
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
                // Another version wrote it: the rest of the answer still counts.
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
