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
 * An outcome that is not written yet: the form in which it is sent at present, and the number of tries so far. Used by
 * one agent thread.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * Maximum number of times that the first pause of 10 ms is doubled. With this limit, an outcome is written at most
     * 1.28 s after the store accepts it again.
     */
    private static final int MAX_DOUBLINGS = 7;

    /** Number of tries, in about 4 s, after which the log reports that the outcome waits. */
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

    /** @param doubted another outcome of the attempt, which applies if this outcome is refused, or {@code null} */
    Unwritten(EndedAttempt attempt, @Nullable Completion doubted, long nowNanos) {
        this.attempt = attempt;
        this.doubted = doubted;
        this.wording = attempt.completion();
        this.retryNanos = nowNanos;
    }

    /** Returns the job as it was claimed, with the run that the attempt has made. */
    Job job() {
        return wording.job();
    }

    /** Returns the form of the outcome to send. */
    Completion wording() {
        return wording;
    }

    /** Sets a monotonic time between the claim and the write of this outcome. Only the first call has an effect. */
    Unwritten since(long nanos) {
        if (asOfNanos == null) {
            asOfNanos = nanos;
        }
        return this;
    }

    /**
     * Returns the time at which the row of this outcome was valid. Other callers may have changed the row since, and
     * may already have passed their newer version to the wheel.
     */
    long asOfNanos() {
        return Objects.requireNonNull(asOfNanos, "not sent");
    }

    Duration took() {
        return attempt.took();
    }

    /** Tells whether this outcome was sent, but got no reply, so that it may have been written. */
    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Tells whether this outcome got no reply, and leaves no row when it is written. If the job no longer exists, the
     * likely cause is then this outcome, and not another attempt.
     */
    boolean mayHaveLeftNoTrace() {
        return outcomeUnknown
                && !wording.keep()
                && wording.next() instanceof Transition.Ended ended
                && ended.state() == JobState.FINISHED;
    }

    /** Tells whether this outcome is sent alone, so that it cannot make a batch fail. */
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
     * Replaces a refused outcome by the other outcome, if there is one. Either the other outcome was written before, or
     * the job has changed since. When the other outcome is sent, the store's reply tells which of the two has happened.
     * The refused outcome cannot be written later, because its token is no longer in the row.
     *
     * @return whether there is another outcome, which is sent next
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

    /** Records that this outcome was sent and got no reply. */
    void unanswered() {
        outcomeUnknown = true;
    }

    /** Delays the next try by a growing pause. */
    void postpone(long nowNanos) {
        retryNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS));
        tries++;
    }

    /** Tells whether this outcome has now waited so long that the log must report it; true for only one try. */
    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    /** Records that this outcome has failed alone, so that no other outcome can be the cause. */
    void setApart() {
        alone = true;
    }

    /**
     * Changes the form of this outcome, because the store refuses it even when it is sent alone. First its texts are
     * removed, because they may be the cause. If that does not help, it is changed to FAILED.
     *
     * @return whether there was another form; if not, the outcome has its original form again
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
                // An error of the store must not turn a success into a failure.
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
