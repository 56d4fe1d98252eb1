package io.delayjob.internal.complete;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the outcomes of attempts in batches. While the agent writes one batch, it collects outcomes for the next
 * batch.
 *
 * <pre>
 *   ended ----> batch ------------------> written ----> reported, row passed on
 *                 | '-- row locked ---.     ^
 *                 |                   v     |
 *                 '-- failed -----> troubled      sent in halves until the failing row is found
 * </pre>
 *
 * <p>If the store is unavailable, the same batch is sent again. The new tokens in the batch show the store whether it
 * has already applied the batch. If the store refuses a row, the agent sends the row again without its texts. If the
 * store refuses this form too, the agent sends the row as FAILED. After that, the agent sends the row in its original
 * form again. No outcome is dropped while the instance is running.
 *
 * <p>Any thread may call {@link #add}, which never blocks. One agent thread writes the outcomes. The claimers check
 * {@link #backlog()}, so only a limited number of outcomes can wait.
 */
public final class Completer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Completer.class);

    private static final int MANY = 50;

    private final JobTransitions store;
    private final DueIntake due;
    private final JobListeners listeners;
    private final EngineClock clock;
    private final int batchSize;
    private final Runnable wake;

    private final ConcurrentLinkedQueue<End> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger backlog = new AtomicInteger();
    private final Troubled troubled;
    private final Deque<End.Decided> decided = new ArrayDeque<>();
    private final LateEnds lateEnds;
    private final WritePause rest = new WritePause();
    private volatile boolean resting;
    private volatile boolean restless;
    private boolean troubledTurn;
    private boolean storeAnswers = true;
    private volatile @Nullable Refusal refusal;

    public Completer(
            JobTransitions store,
            DueIntake due,
            JobListeners listeners,
            EngineClock clock,
            int batchSize,
            Runnable wake) {
        this.store = store;
        this.due = due;
        this.listeners = listeners;
        this.clock = clock;
        this.batchSize = batchSize;
        this.wake = wake;
        this.troubled = new Troubled(batchSize);
        this.lateEnds = new LateEnds(store, clock);
    }

    public void add(EndedAttempt attempt) {
        add(new End.Written(attempt));
    }

    /**
     * Adds an outcome if the attempt's own transaction may have committed.
     *
     * @param rolledBack the outcome if the transaction has not committed
     * @param committed the outcome that the transaction has written
     * @param beganNanos a monotonic time after the claim and before the commit
     */
    public void addDoubtful(EndedAttempt rolledBack, Completion committed, long beganNanos) {
        add(new End.Doubtful(rolledBack, committed, beganNanos));
    }

    /** @param beganNanos a monotonic time after the claim and before the commit */
    public void addDecided(EndedAttempt attempt, CompletionResult result, long beganNanos) {
        add(new End.Decided(attempt, result, beganNanos));
    }

    private void add(End end) {
        backlog.incrementAndGet();
        ends.add(end);
        boolean isShortened = end instanceof End.Written written
                && rest.isShortenedBy(written.attempt().completion().waitingAfter(), clock);
        if (!resting || isShortened || hasMany()) {
            wake.run();
        }
    }

    /**
     * Adds the end of an attempt that ended late. The engine had already given up the attempt and added its outcome.
     */
    public void addLateEnd(JobId job) {
        ends.add(new End.Noted(job));
        wake.run();
    }

    /**
     * Makes the agent write new outcomes without pauses. This is called during a stop, because the stop waits for the
     * outcomes.
     */
    public void hurry() {
        restless = true;
    }

    public int backlog() {
        return backlog.get();
    }

    /** Describes the outcome that the store refuses in every form; {@code null} if there is no such outcome. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public String roleName() {
        return "complete";
    }

    @Override
    public long doWork() {
        long left = leftOfRest();
        if (left > 0) {
            return left;
        }
        List<Unwritten> batch = nextBatch();
        if (!batch.isEmpty()) {
            write(batch);
        }
        tellDecided();
        lateEnds.settle(troubled.jobs());
        return ends.isEmpty() ? untilRepetition() : leftOfRest();
    }

    /**
     * During a stop, the agent does not try again to write late ends. The number {@code inDoubt} then stays too high,
     * which is safe.
     */
    private long untilRepetition() {
        long troubledNanos = troubled.untilNext(clock.nanoTime());
        return restless ? troubledNanos : Math.min(troubledNanos, lateEnds.untilNext());
    }

    private long leftOfRest() {
        long left = restless || hasMany() ? 0 : rest.left(clock.nanoTime());
        resting = left > 0;
        return left;
    }

    private boolean hasMany() {
        return backlog.get() >= MANY;
    }

    private List<Unwritten> nextBatch() {
        troubledTurn = !troubledTurn;
        List<Unwritten> batch = batchOfTurn();
        if (batch.isEmpty()) {
            troubledTurn = !troubledTurn;
            batch = batchOfTurn();
        }
        return batch;
    }

    private List<Unwritten> batchOfTurn() {
        return troubledTurn ? troubled.take(clock.nanoTime()) : gather();
    }

    private List<Unwritten> gather() {
        rest.end();
        List<Unwritten> batch = new ArrayList<>();
        long now = clock.nanoTime();
        End next;
        while (batch.size() + decided.size() < batchSize && (next = ends.poll()) != null) {
            if (next instanceof End.Written written) {
                batch.add(new Unwritten(written.attempt(), null, now));
            } else if (next instanceof End.Doubtful doubtful) {
                batch.add(new Unwritten(doubtful.attempt(), doubtful.committed(), now).since(doubtful.beganNanos()));
            } else if (next instanceof End.Decided alone) {
                decided.add(alone);
            } else if (next instanceof End.Noted noted) {
                lateEnds.add(noted.job());
            }
        }
        return batch;
    }

    /** This method is called after the batch was written. So an exception in this method cannot affect the batch. */
    private void tellDecided() {
        End.Decided next;
        while ((next = decided.poll()) != null) {
            Unwritten end = new Unwritten(next.attempt(), null, clock.nanoTime()).since(next.beganNanos());
            written(List.of(end), List.of(next.result()));
        }
    }

    private void write(List<Unwritten> batch) {
        List<CompletionResult> results;
        long sentNanos = clock.nanoTime();
        batch.forEach(end -> end.since(sentNanos));
        try {
            results = store.complete(batch.stream().map(Unwritten::wording).toList());
        } catch (RuntimeException | Error failure) {
            boolean refused = failure instanceof StoreException said && !said.isTransient();
            boolean mayBeAway = refused ? refused(batch, failure) : unanswered(batch, failure);
            troubled.putBack(batch);
            if (mayBeAway) {
                throw failure;
            }
            return;
        }
        rest.begin(sentNanos, clock.nanoTime());
        storeAnswers = true;
        refusal = null;
        if (troubledTurn) {
            troubled.succeeded(batch);
        }
        written(batch, results);
    }

    private boolean refused(List<Unwritten> batch, Throwable refused) {
        storeAnswers = true;
        if (batch.size() == 1 && !batch.get(0).reword()) {
            blame(batch.get(0), refused);
            Refusal before = refusal;
            refusal = new Refusal(before == null ? clock.nanoTime() : before.sinceNanos, refused.toString());
        }
        return false;
    }

    /** If the store answers other batches, the rows of this batch cause the failure. Other rows then need not wait. */
    private boolean unanswered(List<Unwritten> batch, Throwable failure) {
        boolean answersOthers = troubledTurn && storeAnswers;
        storeAnswers = false;
        batch.forEach(Unwritten::unanswered);
        if (answersOthers && batch.size() == 1) {
            blame(batch.get(0), failure);
        }
        return !answersOthers;
    }

    private void blame(Unwritten end, Throwable failure) {
        end.setApart();
        end.postpone(clock.nanoTime());
        if (end.hasJustBecomeOld()) {
            log.warn(
                    "delayjob cannot store the outcome of attempt {} of job {} ({}) yet, and tries again. The reason: {}",
                    end.job().attempt(),
                    end.job().id(),
                    end.job().name(),
                    failure.toString());
        }
    }

    private void written(List<Unwritten> batch, List<CompletionResult> results) {
        List<Unwritten> again = new ArrayList<>(0);
        Map<Long, List<DueRow>> waiting = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            Unwritten end = batch.get(i);
            Completion completion = end.wording();
            switch (results.get(i)) {
                case ACCEPTED -> {
                    DueRow row = completion.waitingAfter();
                    if (row != null) {
                        waiting.computeIfAbsent(end.asOfNanos(), age -> new ArrayList<>())
                                .add(row);
                    }
                    tell(end, completion.next());
                }
                case ACCEPTED_CANCELLED -> tell(end, new Transition.Ended(JobState.CANCELLED));
                case FENCED, GONE, SUPERSEDED -> {
                    if (end.fallBack()) {
                        again.add(end);
                    } else {
                        refused(end, results.get(i));
                    }
                }
                case LOCKED -> {
                    postpone(end);
                    again.add(end);
                }
            }
        }
        troubled.add(again);
        backlog.addAndGet(again.size() - batch.size());
        waiting.forEach((asOfNanos, rows) -> due.offer(rows, asOfNanos));
    }

    private void tell(Unwritten end, Transition next) {
        listeners.completed(end.wording(), next, end.took());
    }

    private void postpone(Unwritten end) {
        end.postpone(clock.nanoTime());
        if (end.hasJustBecomeOld()) {
            log.warn(
                    "A transaction locks job {} ({}), so delayjob stores the outcome of attempt {} later. If this "
                            + "happens often, shorten the transactions that change jobs.",
                    end.job().id(),
                    end.job().name(),
                    end.job().attempt());
        }
    }

    private void refused(Unwritten end, CompletionResult refusal) {
        JobOutcome outcome = end.wording().outcome();
        boolean awaits = outcome instanceof JobOutcome.Awaited;
        if (refusal == CompletionResult.GONE && end.mayHaveLeftNoTrace()) {
            tell(end, end.wording().next());
            return;
        }
        boolean answered = refusal == CompletionResult.SUPERSEDED || awaits && refusal == CompletionResult.GONE;
        if (!answered) {
            fenced(end.job());
        }
        // The attempt counts as in doubt unless our own earlier write caused the refusal. An attempt that was written
        // off stays in doubt until it ends; an attempt in another system stays in doubt until it is answered.
        boolean hasEnded = !(outcome instanceof JobOutcome.TimedOut) && (answered || !awaits);
        if (hasEnded && !end.isOutcomeUnknown()) {
            lateEnds.add(end.job().id());
        }
    }

    private void fenced(Job job) {
        log.warn(
                "The store refused the outcome of job {} ({}), run {}, attempt {}, because the attempt had already "
                        + "been ended: another instance treated it as lost, or an answer from outside ended it. "
                        + "Another attempt may have run at the same time.",
                job.id(),
                job.name(),
                job.run(),
                job.attempt());
        listeners.tell(l -> l.fenced(job));
    }

    /** @param sinceNanos monotonic time of the first refusal */
    public record Refusal(long sinceNanos, String reason) {}
}
