package io.delayjob.job;

import io.delayjob.schedule.Misfire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. */
public sealed interface JobOutcome {

    /** One word, as it shows in the attempt log, meters and events. */
    String label();

    /** The handler returned; the next run comes as planned. */
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
     * @param delay counted from now
     */
    record Continued(Duration delay) implements JobOutcome {
        @Override
        public String label() {
            return "CONTINUED";
        }
    }

    /**
     * The handler returned and was not ready for this run: it comes back to it.
     *
     * @param delay counted from now
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
     * @param failure the text of it that is stored, and shortened for that
     * @param retriable whether the retry policy may grant another
     * @param thrown the exception itself, for logs; {@code null} if there was none, or if it cannot describe itself
     */
    record Failed(
            Failure failure, boolean retriable, @Nullable Throwable thrown) implements JobOutcome {

        /** One without an exception. */
        public Failed(Failure failure, boolean retriable) {
            this(failure, retriable, null);
        }

        @Override
        public String label() {
            return "FAILED";
        }
    }

    /** The attempt kept neither its time-out nor the grace after its interruption; it may still be under way. */
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
