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
 * A change of every job that a query finds. Immutable.
 *
 * <pre>{@code
 * jobs.change(BulkChange.retry(JobQuery.state(FAILED).name("send-webhook")).spread(ofMinutes(10)));
 * }</pre>
 *
 * @param query the query for the jobs; it must name one of the {@linkplain Kind#states() states} that allow the change.
 *     The jobs are changed in the order {@link JobOrder#OLDEST}
 * @param delay time from the call until the first job is due; zero means at once
 * @param spread time span over which the due times are spread evenly; zero means that all jobs are due together
 * @param seen the time at which a person saw the jobs; {@code null} means the time of the call. Jobs that were
 *     scheduled later, or failed later, are not changed
 */
public record BulkChange(
        Kind kind,
        JobQuery query,
        Duration delay,
        Duration spread,
        @Nullable Instant seen) {

    /** The kinds of change that one call can make to many jobs. */
    public enum Kind {
        /** Retries the jobs, as {@link DelayJobOperations#retry(io.delayjob.job.JobId, Duration)} does. */
        RETRY(JobState.FAILED),
        /** Cancels the jobs, as {@link DelayJobOperations#cancel(io.delayjob.job.JobId)} does. */
        CANCEL(JobState.DELAYED, JobState.READY, JobState.RUNNING, JobState.AWAITING),
        /** Reschedules the jobs, as {@link DelayJobOperations#reschedule(io.delayjob.job.JobId, Duration)} does. */
        RESCHEDULE(JobState.DELAYED, JobState.READY);

        private final List<JobState> states;

        Kind(JobState... states) {
            this.states = List.of(states);
        }

        /** Returns the states that allow this change. */
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
                    "Invalid state %s of the jobs to %s: must be %s, because jobs in other states cannot be %s. Begin with JobQuery.state(%s)."
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
        // In any other order, a changed job could appear on a later page again, or a page could miss jobs.
        query = query.order(JobOrder.OLDEST);
    }

    private static String text(List<JobState> states) {
        return states.size() == 1 ? states.get(0).name() : "one of " + states;
    }

    /** Returns a change that makes failed jobs due at once. */
    public static BulkChange retry(JobQuery query) {
        return new BulkChange(Kind.RETRY, query, Duration.ZERO, Duration.ZERO, null);
    }

    /** Returns a change that cancels unfinished jobs. */
    public static BulkChange cancel(JobQuery query) {
        return new BulkChange(Kind.CANCEL, query, Duration.ZERO, Duration.ZERO, null);
    }

    /**
     * Returns a change that reschedules waiting jobs. The delay is counted from the call of
     * {@link DelayJobOperations#change}.
     */
    public static BulkChange reschedule(JobQuery query, Duration delay) {
        return new BulkChange(Kind.RESCHEDULE, query, delay, Duration.ZERO, null);
    }

    /**
     * Returns a copy with this delay. The first job is due this long after the call; zero means immediately. A
     * cancellation ignores the delay.
     */
    public BulkChange delay(Duration delay) {
        return new BulkChange(kind, query, delay, spread, seen);
    }

    /** Returns a copy that spreads the due times evenly over this time span. A cancellation ignores the time span. */
    public BulkChange spread(Duration spread) {
        return new BulkChange(kind, query, delay, spread, seen);
    }

    /**
     * Returns a copy with the time at which a person saw the jobs, for example in a list. Jobs that were scheduled
     * later, or failed later, are not changed.
     */
    public BulkChange seen(Instant time) {
        return new BulkChange(kind, query, delay, spread, time);
    }

    BulkChange of(JobQuery query) {
        return new BulkChange(kind, query, delay, spread, seen);
    }
}
