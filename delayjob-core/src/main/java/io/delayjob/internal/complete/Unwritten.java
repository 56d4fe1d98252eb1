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
 * The end of an attempt on its way into the store: its outcome, its present wording, and its tries so far. For one
 * agent thread.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * Maximum number of doublings: 10 ms doubled seven times is 1.28 s, the longest delay of an end once it can be
     * written.
     */
    private static final int MAX_DOUBLINGS = 7;

    /** After this number of tries, about 4 s, the log says that the end waits. */
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
     * @param doubted another end of the attempt, which applies if this one cannot be written, or {@code null}
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

    /** Returns the wording to send. */
    Completion wording() {
        return wording;
    }

    /** Takes note of a monotonic time after the claim and before this end was written. The first call counts. */
    Unwritten since(long nanos) {
        if (asOfNanos == null) {
            asOfNanos = nanos;
        }
        return this;
    }

    /**
     * Returns the age of the row after this end. Others may have changed the row since it was written, and may have
     * handed it over before. Each such change is newer.
     */
    long asOfNanos() {
        return Objects.requireNonNull(asOfNanos, "not sent");
    }

    Duration took() {
        return attempt.took();
    }

    /** Tells whether this end was sent without an answer, and so may have been applied. */
    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Tells whether this end may have been applied without a trace: it leaves no row, and an answer is missing. If the
     * job no longer exists, this end's own write is the likely cause, and not another attempt.
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
     * Takes note that it was refused. Then the other end, if there is one, has been written, or the job has changed
     * since. Sending the other end tells which. The refused end cannot be written later, because its token no longer
     * fits.
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

    /** Notes that this end was sent and no answer came. */
    void unanswered() {
        outcomeUnknown = true;
    }

    /** Delays the next try by a growing pause. */
    void postpone(long nowNanos) {
        retryNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS));
        tries++;
    }

    /** Tells whether this end has just waited for long; true for one try only. */
    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    /** Notes that this end failed when it was sent alone, so it is the cause. */
    void setApart() {
        alone = true;
    }

    /**
     * Removes the texts, which may be the cause, because the store refuses this end even when it is sent alone.
     *
     * @return whether there was a text to remove; if not, the end is in its first form again
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
                // A fault of the store does not change the attempt's outcome.
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
