package io.delayjob.dispatch;

import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Schedule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules that hold for an attempt: the handler's, the job's own, and the defaults of the engine, in the order of
 * precedence.
 *
 * @param schedule the job's schedule, read; {@code null} for a one-shot
 * @param retry the retry policy that holds
 * @param retryStated whether that policy was stated, by the handler or the job, and is not the engine's default
 * @param timeout after which it is interrupted; {@code null}: never
 */
record Plan(
        Handler handler,
        @Nullable Schedule schedule,
        RetryPolicy retry,
        boolean retryStated,
        @Nullable Duration timeout) {

    /** @throws RuntimeException when the texts in the row cannot be read here */
    static Plan of(Job job, Handler handler, RetryPolicy defaultRetry, @Nullable Duration defaultTimeout) {
        RetryPolicy ofHandler = handler.retry();
        RetryPolicy ofJob = job.retry() == null ? null : RetryPolicy.parse(job.retry());
        RetryPolicy retry = ofJob != null ? ofJob : ofHandler != null ? ofHandler : defaultRetry;
        return new Plan(
                handler,
                job.schedule() == null ? null : Schedule.parse(job.schedule()),
                retry,
                ofJob != null || ofHandler != null,
                handler.timeout() != null ? handler.timeout() : defaultTimeout);
    }

    /** Which exceptions count is the handler's choice, whosever the numbers are. */
    boolean mayRetry(Throwable thrown) {
        RetryPolicy ofHandler = handler.retry();
        boolean counts = (ofHandler != null ? ofHandler : retry).retries(thrown);
        return counts && (handler.delivery() == Delivery.AT_LEAST_ONCE || retryStated);
    }

    /** Whether an attempt may follow one of which nobody knows whether it ended. */
    boolean mayRetryLost() {
        return handler.delivery() == Delivery.AT_LEAST_ONCE;
    }
}
