package io.delayjob.job;

import io.delayjob.schedule.Misfire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt. */
public sealed interface JobOutcome {

    /** Returns the outcome as one word, for the attempt log, meters and events. */
    String label();

    /** Tells whether this outcome ends the run successfully, so that no further attempt of it follows. */
    default boolean endsRun() {
        return false;
    }

    /** Tells whether the run was skipped: the handler was not called, and this does not count as a failure. */
    default boolean leavesOutRun() {
        return false;
    }

    /**
     * The handler returned, and the next run follows as planned.
     *
     * @param result the value that the history keeps if the job ends with this attempt; {@code null} for none
     */
    record Succeeded(@Nullable Object result) implements JobOutcome {

        /** Creates a success without a result. */
        public Succeeded() {
            this(null);
        }

        @Override
        public String label() {
            return "SUCCEEDED";
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /** The handler returned and wants no further run. */
    record Stopped() implements JobOutcome {
        @Override
        public String label() {
            return "STOPPED";
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /**
     * The handler returned and chose the time of the next run.
     *
     * @param delay delay of the next run, counted from now
     */
    record Continued(Duration delay) implements JobOutcome {
        @Override
        public String label() {
            return "CONTINUED";
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }

    /**
     * The handler returned because it was not ready for this run. The same run is attempted again.
     *
     * @param delay delay until the next attempt of the run, counted from now
     */
    record Snoozed(Duration delay) implements JobOutcome {
        @Override
        public String label() {
            return "SNOOZED";
        }
    }

    /**
     * The handler returned, and an answer from outside ends its attempt.
     *
     * @param within time until the deadline of the answer, counted from now
     */
    record Awaited(Duration within) implements JobOutcome {
        @Override
        public String label() {
            return "AWAITED";
        }
    }

    /**
     * The attempt failed.
     *
     * @param failure the failure as text to store, shortened if necessary
     * @param retriable whether the retry policy may grant another attempt
     * @param thrown the exception itself, for logs; {@code null} if there was none, or if it cannot describe itself
     */
    record Failed(
            Failure failure, boolean retriable, @Nullable Throwable thrown) implements JobOutcome {

        /** Creates a failure without an exception. */
        public Failed(Failure failure, boolean retriable) {
            this(failure, retriable, null);
        }

        @Override
        public String label() {
            return "FAILED";
        }
    }

    /**
     * The attempt did not end within its time-out or, after an interruption, within the grace period. Or no answer from
     * outside came by the deadline. The attempt may still be under way.
     */
    record TimedOut(Failure failure, boolean retriable) implements JobOutcome {
        @Override
        public String label() {
            return "TIMED_OUT";
        }
    }

    /** The run was missed, and the schedule's misfire policy skips it. The handler was not called. */
    record Skipped(Misfire.Skipped misfire) implements JobOutcome {
        @Override
        public String label() {
            return "SKIPPED";
        }

        @Override
        public boolean leavesOutRun() {
            return true;
        }
    }

    /**
     * The run could not start in time, and has no failed attempt. The job of this run repeats, or was never claimed
     * before. The handler was not called.
     *
     * @param failure a failure that states the limit and the lateness
     */
    record Expired(Failure failure) implements JobOutcome {
        @Override
        public String label() {
            return "EXPIRED";
        }

        @Override
        public boolean leavesOutRun() {
            return true;
        }
    }
}
