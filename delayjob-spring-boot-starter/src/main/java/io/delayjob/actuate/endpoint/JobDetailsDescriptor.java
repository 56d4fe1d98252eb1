package io.delayjob.actuate.endpoint;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import io.delayjob.schedule.Schedule;
import io.delayjob.settings.AttemptLog;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One job with its attempts and its state. Values that this instance does not know are absent.
 *
 * @param attempts newest first
 * @param next the next five planned runs of a repeating job, after the present run
 * @param retriesLeft number of retries left for this run; absent for an ended job
 * @param log newest log lines of the running attempt; if there are none, the log lines of an earlier attempt
 * @param why reasons why the job does not run, or how it runs; absent if the job has ended
 */
record JobDetailsDescriptor(
        JobDescriptor job,
        @Nullable String stackTrace,
        List<AttemptDescriptor> attempts,
        @Nullable List<Instant> next,
        @Nullable String payloadHidden,
        @Nullable Integer retriesLeft,
        @Nullable String retryPolicy,
        @Nullable Duration timeout,
        AttemptLog attemptsKept,
        @Nullable ProgressDescriptor progress,
        @Nullable JobLog log,
        @Nullable ChainDescriptor chain,
        @Nullable List<WhyNotRunning.Finding> why)
        implements OperationResponseBody {

    private static final int MAX_NEXT = 5;

    static JobDetailsDescriptor of(
            Job job,
            Pauses pauses,
            List<AttemptRecord> attempts,
            @Nullable String payloadHidden,
            AttemptTerms terms,
            Vitals.@Nullable Progress progress,
            @Nullable JobLog log,
            @Nullable List<WhyNotRunning.Finding> why) {
        Failure failure = job.failure();
        return new JobDetailsDescriptor(
                JobDescriptor.of(job, pauses, payloadHidden == null),
                failure == null ? null : failure.stackTrace(),
                attempts.stream().map(AttemptDescriptor::of).toList(),
                next(job),
                job.payload() == null ? null : payloadHidden,
                terms.retriesLeft(),
                terms.retryPolicy(),
                terms.timeout(),
                terms.log(),
                progress == null ? null : ProgressDescriptor.of(progress),
                log,
                ChainDescriptor.of(job),
                why);
    }

    record ProgressDescriptor(
            int attempt,
            long done,
            @Nullable Long total,
            @Nullable String note) {

        static ProgressDescriptor of(Vitals.Progress told) {
            return new ProgressDescriptor(
                    told.attempt(),
                    told.done(),
                    told.total() == 0 ? null : told.total(),
                    told.note().isEmpty() ? null : told.note());
        }
    }

    private static @Nullable List<Instant> next(Job job) {
        if (job.schedule() == null || job.state().isEnded() || job.cancelRequested()) {
            return null;
        }
        try {
            Schedule schedule = Schedule.parse(job.schedule());
            List<Instant> next = new ArrayList<>();
            Instant planned = job.plannedAt();
            for (int run = job.run(); planned != null && next.size() < MAX_NEXT; run++) {
                planned = schedule.next(job.scheduledAt(), run, planned).orElse(null);
                if (planned != null) {
                    next.add(planned);
                }
            }
            return next;
        } catch (IllegalArgumentException | IllegalStateException unreadableHere) {
            // Another version of delayjob wrote the schedule, or this application has no cron parser.
            return null;
        }
    }

    /** @param lateMillis time from the due time to the call to the handler; absent if the handler was not called */
    record AttemptDescriptor(
            int run,
            int attempt,
            String outcome,
            long instance,
            @Nullable Instant dueAt,
            @Nullable Instant startedAt,
            @Nullable Instant calledAt,
            @Nullable Long lateMillis,
            Instant endedAt,
            @Nullable String error,
            @Nullable String stackTrace) {

        static AttemptDescriptor of(AttemptRecord attempt) {
            Failure failure = attempt.failure();
            return new AttemptDescriptor(
                    attempt.run(),
                    attempt.attempt(),
                    attempt.outcome(),
                    attempt.owner(),
                    attempt.dueAt(),
                    attempt.startedAt(),
                    attempt.calledAt(),
                    JobDescriptor.lateMillis(attempt.dueAt(), attempt.calledAt()),
                    attempt.endedAt(),
                    failure == null ? null : failure.toString(),
                    failure == null ? null : failure.stackTrace());
        }
    }
}
