package io.delayjob.job;

import io.delayjob.schedule.Misfire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt. */
public sealed interface JobOutcome {

    /** Returns the outcome as one word, for the attempt log, meters and events. */
    String label();

    /** The handler returned, and the next run comes as planned. */
    record Succeeded() implements JobOutcome {
        @Override
        public String label() {
            return "SUCCEEDED";
        }
    }

    /** The handler returned and wants no further run. */
    record Stopped() implements JobOutcome {
        @Override
        public String label() {
            return "STOPPED";
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
    }

    /**
     * The handler returned because it was not ready for this run. The same run comes back.
     *
     * @param delay delay until the run comes back, counted from now
     */
    record Snoozed(Duration delay) implements JobOutcome {
        @Override
        public String label() {
            return "SNOOZED";
        }
    }

    /**
     * The attempt failed.
     *
     * @param failure the failure as stored text, shortened if necessary
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
     * The attempt ended neither within its time-out nor within the grace after its interruption. It may still be
     * under way.
     */
    record TimedOut(Failure failure, boolean retriable) implements JobOutcome {
        @Override
        public String label() {
            return "TIMED_OUT";
        }
    }

    /** The run was missed, and the schedule's misfire policy skips it: the handler was not called. */
    record Skipped(Misfire.Skipped misfire) implements JobOutcome {
        @Override
        public String label() {
            return "SKIPPED";
        }
    }
}
