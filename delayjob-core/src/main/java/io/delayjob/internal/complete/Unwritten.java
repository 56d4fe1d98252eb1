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
 * The end of an attempt that is not written yet: its outcome, its present form, and the number of tries so far. Used by
 * one agent thread.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * Maximum number of times that the first pause of 10 ms is doubled. So an end is written at most 1.28 s after this
     * has become possible.
     */
    private static final int MAX_DOUBLINGS = 7;

    /** Number of tries, in about 4 s, after which the log reports that the end waits. */
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

    /**
     * @param doubted another end of the attempt, which applies if this end is refused, or {@code null}
     */
    Unwritten(EndedAttempt attempt, @Nullable Completion doubted, long nowNanos) {
        this.attempt = attempt;
        this.doubted = doubted;
        this.wording = attempt.completion();
        this.retryNanos = nowNanos;
    }

    /** Returns the job as it was claimed, with the run that was actually made. */
    Job job() {
        return wording.job();
    }

    /** Returns the form of the end to send. */
    Completion wording() {
        return wording;
    }

    /** Sets a monotonic time between the claim and the write of this end. Only the first call has an effect. */
    Unwritten since(long nanos) {
        if (asOfNanos == null) {
            asOfNanos = nanos;
        }
        return this;
    }

    /**
     * Returns the time for which the row of this end is valid. Other callers may have changed the row after this end
     * was written, and may already have passed it to the wheel. Each such change is newer.
     */
    long asOfNanos() {
        return Objects.requireNonNull(asOfNanos, "not sent");
    }

    Duration took() {
        return attempt.took();
    }

    /** Tells whether this end was sent, but got no reply, so that it may have been applied. */
    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Tells whether this end may have been applied without leaving a row, because it got no reply. If the job no longer
     * exists, this end's own write is then the likely cause, and not another attempt.
     */
    boolean mayHaveLeftNoTrace() {
        return outcomeUnknown
                && !wording.keep()
                && wording.next() instanceof Transition.Ended ended
                && ended.state() == JobState.FINISHED;
    }

    /** Tells whether this end is sent alone, so that it cannot make a batch fail. */
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
     * Replaces a refused end by the other end, if there is one. Either the other end was written before, or the job has
     * changed since. The result of sending the other end tells which. The refused end cannot be written later, because
     * its token is no longer in the row.
     *
     * @return whether there is another end, which is sent next
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

    /** Records that this end was sent and got no reply. */
    void unanswered() {
        outcomeUnknown = true;
    }

    /** Delays the next try by a growing pause. */
    void postpone(long nowNanos) {
        retryNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS));
        tries++;
    }

    /** Tells whether this end has now waited so long that the log must report it; true for only one try. */
    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    /** Records that this end has failed alone, so that it is the cause. */
    void setApart() {
        alone = true;
    }

    /**
     * Changes the form of this end, because the store refuses it even when it is sent alone. First its texts are
     * removed, which may be the cause; then it is changed to FAILED.
     *
     * @return whether there was another form; if not, the end has its original form again
     */
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
                // An error of the store must not change the outcome of the attempt.
                texts = Texts.AS_THEY_ARE;
                wording = attempt.completion();
                outcomeUnknown = true;
                return false;
            }
        }
        return true;
    }

    private static Completion withoutTexts(Completion c) {
        return new Completion(
                c.job(),
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
