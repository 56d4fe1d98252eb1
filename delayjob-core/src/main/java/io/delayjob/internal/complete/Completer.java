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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ends of attempts in batches. While one batch is written, ends for the next batch are collected. This goes
 * on for four times as long as that write took, at most 5 ms, unless many ends wait. So this agent spends at most a
 * fifth of its time on commits, and a single end is written at once.
 *
 * <pre>
 *   ended ----> batch ------------------> written ----> told, handed over
 *                 | '-- row locked ---.     ^
 *                 |                   v     |
 *                 '-- failed -----> troubled      in halves, down to the row that fails
 * </pre>
 *
 * <p>A batch that fails because the store is away is sent again, unchanged, until the store answers. Its fresh token
 * tells the store if the batch was applied already. A batch that the store refuses for a lasting reason is halved,
 * down to the row that fails. That row is written without its texts and, if it is refused again, as FAILED. If this
 * fails, too, its original form is tried again. No end is given up while the instance lives. Troubled ends take turns
 * with the others, and delay them by at most one statement.
 *
 * <p>{@link #add} may be called from any thread and never blocks; one agent thread writes. The claimers limit how
 * many ends may wait: they ask {@link #backlog()} first.
 */
public final class Completer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Completer.class);

    /** From this number of waiting ends on, batches follow each other without a pause. */
    private static final int MANY = 50;

    /** A pause is this many times as long as the write before it. */
    private static final int RESTS_PER_WRITE = 4;

    private static final long LONGEST_REST_NANOS = Duration.ofMillis(5).toNanos();

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
    private final List<JobId> lateEnds = new ArrayList<>();
    private long answeredNanos;
    private long restNanos;
    private volatile boolean resting;
    private volatile boolean restless;
    private boolean troubledTurn;
    private boolean storeAnswers = true;
    private volatile @Nullable Refusal refusal;

    /** @param wake wakes this agent */
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
    }

    /** Takes the end of an attempt. */
    public void add(EndedAttempt attempt) {
        add(new End.Written(attempt));
    }

    /**
     * Takes the end of an attempt whose own transaction may have committed. The row decides: {@code rolledBack} is
     * written only if that transaction did not commit. Otherwise {@code committed} is the end.
     *
     * @param rolledBack the end of the attempt if its transaction did not commit
     * @param committed the end that the transaction has written if it did commit
     * @param beganNanos monotonic time after the claim and before that transaction's commit
     */
    public void addDoubtful(EndedAttempt rolledBack, Completion committed, long beganNanos) {
        add(new End.Doubtful(rolledBack, committed, beganNanos));
    }

    /**
     * Takes the end of an attempt on which the store has decided already.
     *
     * @param beganNanos monotonic time after the claim and before the commit of that end
     */
    public void addDecided(EndedAttempt attempt, CompletionResult result, long beganNanos) {
        add(new End.Decided(attempt, result, beganNanos));
    }

    private void add(End end) {
        backlog.incrementAndGet();
        ends.add(end);
        if (!resting || hasMany()) {
            wake.run();
        }
    }

    /**
     * Takes note that an attempt has ended after it was written off as timed out. Its write-off was added before.
     */
    public void addLateEnd(JobId job) {
        ends.add(new End.Noted(job));
        wake.run();
    }

    /** From now on, writes ends without collecting them, because few will follow and a caller waits. */
    public void hurry() {
        restless = true;
    }

    /** Returns the number of ends that are not durable yet. */
    public int backlog() {
        return backlog.get();
    }

    /**
     * Returns an end that the store refuses in every form while it accepts no other end either, or {@code null}.
     */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public String roleName() {
        return "complete";
    }

    @Override
    public long doWork() {
        long rest = rest();
        if (rest > 0) {
            return rest;
        }
        List<Unwritten> batch = nextBatch();
        if (!batch.isEmpty()) {
            write(batch);
        }
        tellDecided();
        settleDoubt();
        return ends.isEmpty() ? troubled.untilNext(clock.nanoTime()) : rest();
    }

    private long rest() {
        long rest = restless || restNanos == 0 || hasMany()
                ? 0
                : Math.max(0, restNanos - (clock.nanoTime() - answeredNanos));
        resting = rest > 0;
        return rest;
    }

    private boolean hasMany() {
        return backlog.get() >= MANY;
    }

    /** Alternates between troubled ends and the others, so that neither delays the other. */
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

    /** Reports decided ends after the batch is written, so that an error here cannot harm the batch. */
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
        answeredNanos = clock.nanoTime();
        restNanos = Math.min(RESTS_PER_WRITE * (answeredNanos - sentNanos), LONGEST_REST_NANOS);
        storeAnswers = true;
        refusal = null;
        if (troubledTurn) {
            troubled.succeeded(batch);
        }
        written(batch, results);
    }

    /** The whole batch was refused: finds the row that fails, and removes the texts that may be the cause. */
    private boolean refused(List<Unwritten> batch, Throwable refused) {
        storeAnswers = true;
        if (batch.size() == 1 && !batch.get(0).reword()) {
            blame(batch.get(0), refused);
            Refusal before = refusal;
            refusal = new Refusal(before == null ? clock.nanoTime() : before.sinceNanos, refused.toString());
        }
        return false;
    }

    /**
     * The result of the batch is unknown. If the store answers other batches, these rows are the cause, and other rows
     * need not wait.
     */
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
                    "The end of job {} ({}), attempt {}, cannot be written. delayjob keeps trying. The reason: {}",
                    end.job().id(),
                    end.job().name(),
                    end.job().attempt(),
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
                    "The end of job {} ({}), attempt {}, cannot be written yet, because a transaction "
                            + "holds its row. If such transactions are frequent, make them shorter.",
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
        // This attempt was certainly in doubt only if the refusal cannot come from our own earlier write, whose answer
        // was lost. An attempt that was written off is in doubt until it ends. So is one whose work goes on outside,
        // unless it was answered.
        boolean hasEnded = !(outcome instanceof JobOutcome.TimedOut) && (answered || !awaits);
        if (hasEnded && !end.isOutcomeUnknown()) {
            lateEnds.add(end.job().id());
        }
    }

    private void fenced(Job job) {
        log.warn(
                "The end of job {} ({}), run {}, attempt {} was refused. The job had been given up as "
                        + "lost, or had been answered from outside, and has changed since. Another attempt may "
                        + "have run at the same time.",
                job.id(),
                job.name(),
                job.run(),
                job.attempt());
        listeners.tell(l -> l.fenced(job));
    }

    /** Lowers doubts. A late end waits for the write-off that raised its doubt. */
    private void settleDoubt() {
        if (lateEnds.isEmpty()) {
            return;
        }
        Set<JobId> notYet = troubled.jobs();
        List<JobId> settled =
                lateEnds.stream().filter(job -> !notYet.contains(job)).toList();
        // Sent once: a doubt that stays raised only makes cancel more careful. A doubt that is lowered twice makes
        // its answer wrong.
        lateEnds.removeIf(job -> !notYet.contains(job));
        if (!settled.isEmpty()) {
            store.settleDoubt(settled);
        }
    }

    /** An end that cannot be written, for a lasting reason, since that monotonic time. */
    public record Refusal(long sinceNanos, String reason) {}
}
