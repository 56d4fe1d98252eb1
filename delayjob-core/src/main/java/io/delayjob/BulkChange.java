package io.delayjob;

import io.delayjob.job.JobState;
import io.delayjob.schedule.Stated;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What to do to every job that a query finds; immutable.
 *
 * <pre>{@code
 * jobs.change(BulkChange.retry(JobQuery.state(FAILED).name("send-webhook")).spread(ofMinutes(10)));
 * }</pre>
 *
 * @param kind what to do
 * @param query which jobs; must name one of the {@linkplain Kind#states() states} that allow it. They are changed in the order
 *     {@link JobOrder#OLDEST}, whatever the query says
 * @param delay time from the call until the first job is due; zero: at once
 * @param spread span over which the due times are spread evenly, from the first one on; zero: all are due together
 * @param seen only jobs that were there at that time: scheduled by then, or failed by then; {@code null}: before the call
 */
public record BulkChange(
        Kind kind,
        JobQuery query,
        Duration delay,
        Duration spread,
        @Nullable Instant seen) {

    /** What can be done to many jobs. */
    public enum Kind {
        /** As {@link DelayJobOperations#retry(io.delayjob.job.JobId, Duration)}. */
        RETRY(JobState.FAILED),
        /** As {@link DelayJobOperations#cancel(io.delayjob.job.JobId)}. */
        CANCEL(JobState.DELAYED, JobState.READY, JobState.RUNNING),
        /** As {@link DelayJobOperations#reschedule(io.delayjob.job.JobId, Duration)}. */
        RESCHEDULE(JobState.DELAYED, JobState.READY);

        private final List<JobState> states;

        Kind(JobState... states) {
            this.states = List.of(states);
        }

        /** The states of jobs that this can be done to. */
        public List<JobState> states() {
            return states;
        }

        String verb() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public BulkChange {
        Stated.notNull(query, "query", "must say which jobs, such as JobQuery.state(FAILED)");
        Stated.notNull(delay, "delay", "must be zero or more; zero means due at once");
        if (query.state() == null || !kind.states.contains(query.state())) {
            throw new IllegalArgumentException(
                    "Invalid state %s of the jobs to %s: must be %s, because no other job can be %s; begin with JobQuery.state(%s)."
                            .formatted(
                                    query.state(),
                                    kind.verb(),
                                    text(kind.states),
                                    switch (kind) {
                                        case RETRY -> "retried";
                                        case CANCEL -> "cancelled";
                                        case RESCHEDULE -> "rescheduled";
                                    },
                                    kind.states.get(0)));
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid delay %s: must be zero or more; zero means due at once.".formatted(delay));
        }
        Planner.checkSpread(spread);
        // In other orders, jobs that are changed could come again, or hide others.
        query = query.order(JobOrder.OLDEST);
    }

    private static String text(List<JobState> states) {
        return states.size() == 1 ? states.get(0).name() : "one of " + states;
    }

    /** Brings failed jobs back, due at once. */
    public static BulkChange retry(JobQuery query) {
        return new BulkChange(Kind.RETRY, query, Duration.ZERO, Duration.ZERO, null);
    }

    /** Cancels unfinished jobs. */
    public static BulkChange cancel(JobQuery query) {
        return new BulkChange(Kind.CANCEL, query, Duration.ZERO, Duration.ZERO, null);
    }

    /** Makes waiting jobs due {@code delay} from the call. */
    public static BulkChange reschedule(JobQuery query, Duration delay) {
        return new BulkChange(Kind.RESCHEDULE, query, delay, Duration.ZERO, null);
    }

    /** Due so long after the call; zero: at once. Means nothing for a cancellation. */
    public BulkChange delay(Duration delay) {
        return new BulkChange(kind, query, delay, spread, seen);
    }

    /** Due times spread evenly over this span, so that the jobs do not start together. Means nothing for a cancellation. */
    public BulkChange spread(Duration spread) {
        return new BulkChange(kind, query, delay, spread, seen);
    }

    /** Only jobs that were there at this time, such as that of the list that a person has seen. */
    public BulkChange seen(Instant time) {
        return new BulkChange(kind, query, delay, spread, time);
    }

    BulkChange of(JobQuery query) {
        return new BulkChange(kind, query, delay, spread, seen);
    }
}
