package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt on its way into the store: what happened, how it is worded at present, and what is known of the
 * tries so far. For one agent thread.
 */
final class Unwritten {

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /** 10 ms doubled so often is 1.28 s: so late, at the most, an end is written once nothing keeps it from that. */
    private static final int MAX_DOUBLINGS = 7;

    /** Who has waited for so long, about 4 s, is worth a word in the log. */
    private static final int MANY_TRIES = 10;

    private EndedAttempt attempt;
    private @Nullable Completion doubted;
    private Completion wording;
    private Texts texts = Texts.AS_THEY_ARE;
    private boolean outcomeUnknown;
    private boolean alone;
    private int tries;
    private long retryNanos;

    /**
     * @param doubted another end of the attempt, which is written unless this one can be; {@code null}: there is none
     */
    Unwritten(EndedAttempt attempt, @Nullable Completion doubted, long nowNanos) {
        this.attempt = attempt;
        this.doubted = doubted;
        this.wording = attempt.completion();
        this.retryNanos = nowNanos;
    }

    /** As it was claimed, at the run that was in fact made. */
    Job job() {
        return wording.job();
    }

    /** What is to be sent. */
    Completion wording() {
        return wording;
    }

    Duration took() {
        return attempt.took();
    }

    /** Whether it was sent without being answered, and so may have been applied. */
    boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Whether nothing would be found of it if it had been applied already: it leaves no row, and an answer is missing.
     * If indeed nothing is left of its job, that is most likely its own echo, and no sign of another attempt.
     */
    boolean mayHaveLeftNoTrace() {
        return outcomeUnknown
                && !wording.keep()
                && wording.next() instanceof Transition.Ended ended
                && ended.state() == JobState.FINISHED;
    }

    /** Whether it must not spoil a batch. */
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
     * It was refused: so the other end, if there is one, has been written, or the job has moved on. To send that one
     * tells which, and cannot write it any more, for it is fenced by the same token.
     *
     * @return whether there is another end, which is now to be sent
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

    /** It was sent, and no answer came. */
    void unanswered() {
        outcomeUnknown = true;
    }

    /** It is tried again, after a growing pause. */
    void postpone(long nowNanos) {
        retryNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS));
        tries++;
    }

    /** Whether it has waited for long, asked once. */
    boolean hasJustBecomeOld() {
        return tries == MANY_TRIES;
    }

    /** It was by itself when it failed, so it is to blame. */
    void setApart() {
        alone = true;
    }

    /**
     * The store refuses it by itself: it is rid of what may be the cause.
     *
     * @return whether there was anything left to be rid of; else it is as it was at first
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
                // Whatever is wrong with the store, the attempt has ended as it has.
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
