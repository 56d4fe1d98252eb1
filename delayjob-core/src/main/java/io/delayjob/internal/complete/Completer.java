package io.delayjob.internal.complete;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ends of attempts. The next batch gathers while one is under way and for four times as long again, at most 5 ms.
 * So this agent spends at most a fifth of its time on commits, and a lone end is written at once. Many ends do not wait.
 *
 * <pre>
 *   ended ----> batch ------------------> written ----> told, handed over
 *                 | '-- row locked ---.     ^
 *                 |                   v     |
 *                 '-- failed -----> troubled      in halves, down to the one that is to blame
 * </pre>
 *
 * <p>What fails because the store is away is sent again, unchanged, until it is answered: the fresh token in it tells
 * the store that it was applied already. What the store refuses for a reason that will not pass is halved, down to the
 * row that is to blame; that row is written without its texts and, if that is refused as well, as FAILED. If nothing
 * helps it is tried again, as it was: no end is given up while the instance lives. The troubled take turns with the
 * others, and hold them up for no longer than a statement takes.
 *
 * <p>{@link #add} may be called from any thread and never blocks; one agent thread writes. How much may wait is bounded
 * by whoever claims: it asks {@link #backlog()} first.
 */
public final class Completer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Completer.class);

    /** While so many ends wait to be written there is no rest. */
    private static final int MANY = 50;

    /** A rest is so many times as long as the write before it. */
    private static final int RESTS_PER_WRITE = 4;

    private static final long LONGEST_REST_NANOS = Duration.ofMillis(5).toNanos();

    private final JobTransitions store;
    private final DueSink due;
    private final JobListeners listeners;
    private final EngineClock clock;
    private final int batchSize;
    private final Runnable wake;

    private final ConcurrentLinkedQueue<End> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger backlog = new AtomicInteger();
    private final Troubled troubled;
    private final Deque<Decided> decided = new ArrayDeque<>();
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
            DueSink due,
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
        add(new Written(attempt, null));
    }

    /**
     * Takes the end of an attempt whose own transaction may have been committed. The row tells: {@code rolledBack} is
     * written if and only if it was not, else {@code committed} stands.
     *
     * @param rolledBack how the attempt ended if the transaction did not come to be
     * @param committed the end that the transaction has written if it did
     */
    public void addDoubtful(EndedAttempt rolledBack, Completion committed) {
        add(new Written(rolledBack, committed));
    }

    /** Takes the end of an attempt that the store has decided on. */
    public void addDecided(EndedAttempt attempt, CompletionResult result) {
        add(new Decided(attempt, result));
    }

    private void add(End end) {
        backlog.incrementAndGet();
        ends.add(end);
        if (!resting || hasMany()) {
            wake.run();
        }
    }

    /**
     * Takes note that an attempt that was written off as timed out has ended after all; its write-off was added before.
     */
    public void addLateEnd(JobId job) {
        ends.add(new Noted(job));
        wake.run();
    }

    /** From now on ends are written as they come: few will follow, and somebody waits for them. */
    public void hurry() {
        restless = true;
    }

    /** Ends of attempts that are not durable yet. */
    public int backlog() {
        return backlog.get();
    }

    /** What the store refuses whatever its wording, as long as it takes nothing else either; {@code null}: nothing. */
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

    /** In turn, so that neither what is in trouble holds up the others, nor the others it. */
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
            if (next instanceof Written written) {
                batch.add(new Unwritten(written.attempt, written.orElse, now));
            } else if (next instanceof Decided alone) {
                decided.add(alone);
            } else if (next instanceof Noted noted) {
                lateEnds.add(noted.job);
            }
        }
        return batch;
    }

    /** Once the batch is written: what goes wrong with telling of these must not cost those. */
    private void tellDecided() {
        Decided next;
        while ((next = decided.poll()) != null) {
            written(List.of(new Unwritten(next.attempt, null, clock.nanoTime())), List.of(next.result));
        }
    }

    private void write(List<Unwritten> batch) {
        List<CompletionResult> results;
        long sentNanos = clock.nanoTime();
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

    /** All or none of the batch was refused: find the row that is to blame, and rid it of what may be the cause. */
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
     * Nobody knows what became of it. If the store answers others, its trouble is with these, and the others need not
     * rest.
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
                    "The end of job {} ({}), attempt {}, cannot be written and is tried again until it can: {}",
                    end.job().id(),
                    end.job().name(),
                    end.job().attempt(),
                    failure.toString());
        }
    }

    private void written(List<Unwritten> batch, List<CompletionResult> results) {
        List<Unwritten> again = new ArrayList<>(0);
        List<DueRow> waiting = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Unwritten end = batch.get(i);
            Completion completion = end.wording();
            switch (results.get(i)) {
                case ACCEPTED -> {
                    DueRow row = completion.waitingAfter();
                    if (row != null) {
                        waiting.add(row);
                    }
                    tell(end, completion.next());
                }
                case ACCEPTED_CANCELLED -> tell(end, new Transition.Ended(JobState.CANCELLED));
                case FENCED, GONE -> {
                    if (end.fallBack()) {
                        again.add(end);
                    } else if (results.get(i) == CompletionResult.GONE && end.mayHaveLeftNoTrace()) {
                        tell(end, completion.next());
                    } else {
                        fenced(end);
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
        if (!waiting.isEmpty()) {
            due.accept(waiting);
        }
    }

    private void tell(Unwritten end, Transition next) {
        listeners.tell(l -> l.completed(end.job(), end.wording().outcome(), next, end.took()));
    }

    private void postpone(Unwritten end) {
        end.postpone(clock.nanoTime());
        if (end.hasJustBecomeOld()) {
            log.warn(
                    "The end of job {} ({}), attempt {}, waits for a transaction that holds its row: keep transactions"
                            + " that cancel or change jobs short.",
                    end.job().id(),
                    end.job().name(),
                    end.job().attempt());
        }
    }

    private void fenced(Unwritten end) {
        Job job = end.job();
        log.warn(
                "The end of job {} ({}), run {}, attempt {} was refused: the job had been given up for lost and moved"
                        + " on, so another attempt may have overlapped.",
                job.id(),
                job.name(),
                job.run(),
                job.attempt());
        listeners.tell(l -> l.fenced(job));
        // Only a refusal that cannot be the echo of our own lost answer proves that this attempt was in doubt; and one
        // that was written off is in doubt until it ends.
        if (!end.isOutcomeUnknown() && !(end.wording().outcome() instanceof JobOutcome.TimedOut)) {
            lateEnds.add(job.id());
        }
    }

    /** A late end waits for the write-off that raised the doubt which it lowers. */
    private void settleDoubt() {
        if (lateEnds.isEmpty()) {
            return;
        }
        Set<JobId> notYet = troubled.jobs();
        List<JobId> settled =
                lateEnds.stream().filter(job -> !notYet.contains(job)).toList();
        // Sent once: a doubt that stays raised only makes cancel more careful, one lowered twice would make it lie.
        lateEnds.removeIf(job -> !notYet.contains(job));
        if (!settled.isEmpty()) {
            store.settleDoubt(settled);
        }
    }

    /**
     * An end that cannot be written, for a reason that does not pass.
     *
     * @param sinceNanos monotonic time since when nothing can be written
     */
    public record Refusal(long sinceNanos, String reason) {}

    private sealed interface End {}

    /** @param orElse the end that is written already, unless this one can be */
    private record Written(EndedAttempt attempt, @Nullable Completion orElse) implements End {}

    private record Decided(EndedAttempt attempt, CompletionResult result) implements End {}

    private record Noted(JobId job) implements End {}
}
