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
 * Contains an outcome that is not written yet. It also contains the form in which the outcome is sent at present, and
 * the number of tries so far. Only one agent thread uses this object.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * Because of this limit, an outcome is written at most 1.28 s after the store accepts it again.
     */
    private static final int MAX_DOUBLINGS = 7;

    /** After this number of tries, which take about 4 s, delayjob logs that it could not write the outcome yet. */
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
     * @param doubted a second outcome of the attempt. The store gets it if it refuses the first one; {@code null} if
     *     there is no second outcome
     */
    Unwritten(EndedAttempt attempt, @Nullable Completion doubted, long nowNanos) {
        this.attempt = attempt;
        this.doubted = doubted;
        this.wording = attempt.completion();
        this.retryNanos = nowNanos;
    }

    /**
     * Returns the job as it was claimed. But if the attempt has merged missed runs, the job has the number and the
     * planned time of the run that was made.
     */
    Job job() {
        return wording.job();
    }

    Completion wording() {
        return wording;
    }

    /**
     * Sets the time that {@link #asOfNanos} returns: a monotonic time between the claim and the write of this outcome.
     * Only the first call has an effect.
     */
    Unwritten since(long nanos) {
        if (asOfNanos == null) {
            asOfNanos = nanos;
        }
        return this;
    }

    /**
     * Returns a monotonic time before the write of this outcome. At that time, no newer version of the row existed.
     * After the write, another caller may change the row, and also pass its version to the timing wheel. The times of
     * the two versions show which one is newer.
     */
    long asOfNanos() {
        return Objects.requireNonNull(asOfNanos, "not sent");
    }

    Duration took() {
        return attempt.took();
    }

    /** Tells whether this outcome was sent without a reply, so that it may have been written. */
    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Tells whether this outcome deletes the job's row and was sent without a reply. If the job no longer exists, its
     * row was probably deleted by this outcome, and not by another attempt.
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
     * This outcome was refused. If there is a doubted outcome, the doubted outcome takes its place. The refusal has one
     * of two reasons: the doubted outcome was written before, or somebody else has changed the job since its claim. The
     * store's reply to the doubted outcome will show which reason applies. The refused outcome cannot be written later,
     * because the token of the row has changed.
     *
     * @return whether there is a doubted outcome, which is then sent next
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

    /**
     * Returns {@code true} for only one try, so that the log reports a waiting outcome only once.
     */
    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    /** Records that this outcome has failed in a batch of its own. So no other outcome can be the cause. */
    void setApart() {
        alone = true;
    }

    /**
     * Gives this outcome its next form, because the store refuses it even when it is sent alone. First it loses its
     * texts, which may be the cause. If it is refused without them, too, it becomes FAILED.
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
