package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Contains an outcome that is not written yet, the form in which it is sent, and the number of tries. Only one agent
 * thread uses this object.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /** An outcome is written at most 1.28 s after the store accepts it again. */
    private static final int MAX_DOUBLINGS = 7;

    private static final int MANY_TRIES = 10;

    private @Nullable Long asOfNanos;
    private EndedAttempt attempt;
    private @Nullable Completion doubted;
    private Completion wording;
    private Texts texts = Texts.AS_THEY_ARE;
    private boolean outcomeUnknown;
    private boolean alone;
    private int tries;
    private long retryNanos;

    Unwritten(EndedAttempt attempt, @Nullable Completion doubted, long nowNanos) {
        this.attempt = attempt;
        this.doubted = doubted;
        this.wording = attempt.completion();
        this.retryNanos = nowNanos;
    }

    /** If the attempt has merged missed runs, the job has the number of the run that was executed. */
    Job job() {
        return wording.job();
    }

    Completion wording() {
        return wording;
    }

    /** Only the first call has an effect. */
    Unwritten since(long nanos) {
        if (asOfNanos == null) {
            asOfNanos = nanos;
        }
        return this;
    }

    /**
     * A monotonic time before the write. The timing wheel compares such times, and finds the newer version of a row.
     */
    long asOfNanos() {
        return Objects.requireNonNull(asOfNanos, "not sent");
    }

    Duration took() {
        return attempt.took();
    }

    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /** If the row no longer exists, an earlier write of this outcome has probably deleted the row. */
    boolean mayHaveLeftNoTrace() {
        return outcomeUnknown
                && !wording.keep()
                && wording.next() instanceof Transition.Ended ended
                && ended.state() == JobState.FINISHED;
    }

    boolean isAlone() {
        return alone;
    }

    boolean isDue(long nowNanos) {
        return nowNanos - retryNanos >= 0;
    }

    long retryNanos() {
        return retryNanos;
    }

    /**
     * Makes the outcome that was in doubt the next outcome to send. The store's reply shows whether this outcome was
     * written before.
     */
    boolean fallBack() {
        if (doubted == null) {
            return false;
        }
        attempt = new EndedAttempt(doubted, attempt.took());
        wording = doubted;
        doubted = null;
        texts = Texts.AS_THEY_ARE;
        outcomeUnknown = true;
        return true;
    }

    void unanswered() {
        outcomeUnknown = true;
    }

    void postpone(long nowNanos) {
        retryNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS));
        tries++;
    }

    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    void setApart() {
        alone = true;
    }

    /** Returns whether there was another form. If there was none, the outcome has its original form again. */
    boolean reword() {
        alone = true;
        switch (texts) {
            case AS_THEY_ARE -> {
                texts = Texts.REMOVED;
                wording = withoutTexts(wording);
            }
            case REMOVED -> {
                texts = Texts.REMOVED_AND_FAILED;
                wording = asFailed(wording);
            }
            case REMOVED_AND_FAILED -> {
                // An error of the store must not turn a successful attempt into a failure.
                texts = Texts.AS_THEY_ARE;
                wording = attempt.completion();
                outcomeUnknown = true;
                return false;
            }
        }
        return true;
    }

    private static Completion withoutTexts(Completion c) {
        Job job = c.job();
        return new Completion(
                job.log() == null
                        ? job
                        : job.with(
                                job.task().withExtras(job.extras().withLog(null).toText())),
                c.outcome(),
                c.next(),
                c.freshToken(),
                c.endedAt(),
                c.failure() == null ? null : c.failure().withoutTexts(),
                c.keep(),
                List.of());
    }

    private static Completion asFailed(Completion c) {
        return new Completion(
                c.job(),
                c.outcome(),
                new Transition.Ended(JobState.FAILED),
                c.freshToken(),
                c.endedAt(),
                c.failure() == null
                        ? Failure.of("Unwritable", c.outcome().label() + " could not be written")
                        : c.failure(),
                true,
                List.of());
    }

    private enum Texts {
        AS_THEY_ARE,
        REMOVED,
        REMOVED_AND_FAILED
    }
}
