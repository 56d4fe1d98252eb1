package io.delayjob.job;

import io.delayjob.schedule.Misfire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Describes the outcome of an attempt. */
public sealed interface JobOutcome {

    /** Returns the outcome as one word, for the attempt log, meters and events. */
    String label();

    /**
     * Tells whether this outcome ends the run successfully. If the result is {@code true}, no further attempt of the
     * run follows.
     */
    default boolean endsRun() {
        return false;
    }

    /** Tells whether the run was skipped without a call of the handler. A skipped run does not count as a failure. */
    default boolean leavesOutRun() {
        return false;
    }

    /**
     * The handler has returned, and the next run follows as planned.
     *
     * @param result the result, or {@code null}. If the job ends with this attempt, the history keeps the result
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

    /** The handler has returned, and has asked that no further run follows. */
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
     * The handler has returned, and has chosen the time of the next run.
     *
     * @param delay the delay of the next run, counted from now
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
     * The handler was not ready for this run. The same run gets another attempt later.
     *
     * @param delay the delay until the next attempt, counted from now
     */
    record Snoozed(Duration delay) implements JobOutcome {
        @Override
        public String label() {
            return "SNOOZED";
        }
    }

    /**
     * The handler has returned, and an answer from outside will end the attempt.
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
     * @param retriable whether the retry policy may allow another attempt
     * @param thrown the exception itself, for logs; {@code null} if there is no exception, or if the text of the
     *     exception could not be read
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
     * The attempt was still running after its timeout and grace period, or no answer from outside came in time. The
     * attempt may still be under way.
     */
    record TimedOut(Failure failure, boolean retriable) implements JobOutcome {
        @Override
        public String label() {
            return "TIMED_OUT";
        }
    }

    /** The run was missed, and the misfire policy skips it. The handler was not called. */
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
     * The run could not start in time, so the handler was not called. Only a run without failed attempts may expire.
     *
     * @param failure a failure that states the time limit and the lateness
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
