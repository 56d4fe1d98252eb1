package io.delayjob.complete;

import io.delayjob.event.JobListeners;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Failure;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ends of attempts. While one batch is under way the next one gathers: under load batches form by themselves,
 * and a lone completion goes at once.
 *
 * <p>What fails because the store is away is sent again, unchanged, until it is answered: the fresh token in it tells the
 * store that it was applied already. What fails for a reason that will not pass is halved, down to the row that is to
 * blame; that row is written without its texts and, if that is refused as well, as {@link JobState#FAILED}. If nothing
 * helps it is tried again, as it was, in turn with all others: no end is given up while the instance lives.
 *
 * <p>{@link #add} may be called from any thread and never blocks; one agent thread writes. How much may wait is bounded by
 * whoever claims: it asks {@link #backlog()} first.
 */
public final class Completer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Completer.class);

    private final JobStore store;
    private final DueSink due;
    private final JobListeners listeners;
    private final int batchSize;
    private final Runnable wake;

    private final ConcurrentLinkedQueue<End> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger backlog = new AtomicInteger();
    private final Deque<Batch> batches = new ArrayDeque<>();
    private final Deque<Batch> troubled = new ArrayDeque<>();
    private boolean troubledTurn;
    private final List<JobId> lateEnds = new ArrayList<>();

    /** @param wake wakes this agent */
    public Completer(JobStore store, DueSink due, JobListeners listeners, int batchSize, Runnable wake) {
        this.store = store;
        this.due = due;
        this.listeners = listeners;
        this.batchSize = batchSize;
        this.wake = wake;
    }

    /** Takes the end of an attempt. */
    public void add(EndedAttempt attempt) {
        backlog.incrementAndGet();
        ends.add(new Written(attempt));
        wake.run();
    }

    /** Takes note that an attempt that was written off as timed out has ended after all; its write-off was added before. */
    public void addLateEnd(JobId job) {
        ends.add(new Noted(job));
        wake.run();
    }

    /** Ends of attempts that are not durable yet. */
    public int backlog() {
        return backlog.get();
    }

    @Override
    public String roleName() {
        return "complete";
    }

    @Override
    public long doWork() {
        Deque<Batch> line = nextLine();
        Batch batch = line.peek();
        if (batch != null) {
            write(batch, line);
        }
        boolean nothingBefore = batches.isEmpty() && troubled.isEmpty();
        if (nothingBefore || lateEnds.size() >= batchSize) {
            settleDoubt();
        }
        return batches.isEmpty() && troubled.isEmpty() && ends.isEmpty() ? UNTIL_WOKEN : 0;
    }

    /** In turn, so that neither what is in trouble holds up the others, nor the others it. */
    private Deque<Batch> nextLine() {
        if (batches.isEmpty()) {
            gather();
        }
        troubledTurn = !troubled.isEmpty() && (batches.isEmpty() || !troubledTurn);
        return troubledTurn ? troubled : batches;
    }

    /** Late ends keep their place in line: the write-off that raised the doubt is written before they lower it. */
    private void gather() {
        List<EndedAttempt> batch = new ArrayList<>();
        End next;
        while (batch.size() < batchSize && lateEnds.size() < batchSize && (next = ends.poll()) != null) {
            if (next instanceof Written written) {
                batch.add(written.attempt);
            } else if (next instanceof Noted noted) {
                lateEnds.add(noted.job);
            }
        }
        if (!batch.isEmpty()) {
            batches.add(new Batch(batch, Texts.AS_THEY_ARE, false));
        }
    }

    private void write(Batch batch, Deque<Batch> line) {
        List<CompletionResult> results;
        try {
            results = store.complete(batch.completions());
        } catch (RuntimeException | Error failure) {
            if (failure instanceof StoreException refusal && !refusal.isTransient()) {
                line.remove();
                narrow(batch, line, refusal);
                return;
            }
            batch.outcomeUnknown = true;
            batch.failures++;
            if (batch.failures > 1) {
                line.remove();
                stepAside(batch);
            }
            throw failure;
        }
        line.remove();
        backlog.addAndGet(-batch.attempts.size());
        announce(batch, results);
    }

    /** A row that somebody holds locked fails its batch each time: in halves the others get through. */
    private void stepAside(Batch batch) {
        List<EndedAttempt> attempts = batch.attempts;
        int half = attempts.size() / 2;
        if (half > 0) {
            troubled.add(batch.with(attempts.subList(0, half), batch.texts));
        }
        troubled.add(batch.with(attempts.subList(half, attempts.size()), batch.texts));
    }

    /** All or none of the batch was refused: find the row that is to blame, and rid it of what may be the cause. */
    private void narrow(Batch batch, Deque<Batch> line, StoreException failure) {
        List<EndedAttempt> attempts = batch.attempts;
        int half = attempts.size() / 2;
        if (half > 0) {
            line.addFirst(batch.with(attempts.subList(half, attempts.size()), batch.texts));
            line.addFirst(batch.with(attempts.subList(0, half), batch.texts));
            return;
        }
        EndedAttempt attempt = attempts.get(0);
        switch (batch.texts) {
            case AS_THEY_ARE -> {
                batch.asItWas = attempt;
                line.addFirst(batch.with(List.of(withoutTexts(attempt)), Texts.REMOVED));
            }
            case REMOVED -> line.addFirst(batch.with(List.of(asFailed(attempt)), Texts.REMOVED_AND_FAILED));
            case REMOVED_AND_FAILED -> {
                // Whatever is wrong with the store, the attempt has ended: it is tried again, as it was.
                EndedAttempt asItWas = batch.asItWas == null ? attempt : batch.asItWas;
                troubled.add(new Batch(List.of(asItWas), Texts.AS_THEY_ARE, true));
                throw failure;
            }
        }
    }

    private static EndedAttempt withoutTexts(EndedAttempt attempt) {
        Completion c = attempt.completion();
        Completion bare = new Completion(
                c.job(),
                c.outcome(),
                c.next(),
                c.freshToken(),
                c.endedAt(),
                c.failure() == null ? null : c.failure().withoutTexts(),
                c.keep(),
                List.of());
        return new EndedAttempt(bare, attempt.took());
    }

    private static EndedAttempt asFailed(EndedAttempt attempt) {
        Completion c = attempt.completion();
        Completion failed = new Completion(
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
        return new EndedAttempt(failed, attempt.took());
    }

    private void announce(Batch batch, List<CompletionResult> results) {
        List<DueRow> waiting = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            EndedAttempt attempt = batch.attempts.get(i);
            Completion completion = attempt.completion();
            switch (results.get(i)) {
                case ACCEPTED -> {
                    DueRow row = completion.waitingAfter();
                    if (row != null) {
                        waiting.add(row);
                    }
                    listeners.tell(l ->
                            l.completed(completion.job(), completion.outcome(), completion.next(), attempt.took()));
                }
                case ACCEPTED_CANCELLED ->
                    listeners.tell(l -> l.completed(
                            completion.job(),
                            completion.outcome(),
                            new Transition.Ended(JobState.CANCELLED),
                            attempt.took()));
                case FENCED -> fenced(batch, completion);
            }
        }
        if (!waiting.isEmpty()) {
            due.accept(waiting);
        }
    }

    private void fenced(Batch batch, Completion completion) {
        log.warn(
                "The end of job {} ({}), run {}, attempt {} was refused: the job had been given up for lost and moved on, so another attempt may have overlapped.",
                completion.job().id(),
                completion.job().name(),
                completion.job().run(),
                completion.job().attempt());
        listeners.tell(l -> l.fenced(completion.job()));
        // Only a refusal that cannot be the echo of our own lost answer proves that this attempt was in doubt; and one
        // that was written off is in doubt until it ends.
        if (!batch.outcomeUnknown && !(completion.outcome() instanceof JobOutcome.TimedOut)) {
            lateEnds.add(completion.job().id());
        }
    }

    private void settleDoubt() {
        if (!lateEnds.isEmpty()) {
            List<JobId> settled = List.copyOf(lateEnds);
            // Sent once: a doubt that stays raised only makes cancel more careful, one lowered twice would make it lie.
            lateEnds.clear();
            store.settleDoubt(settled);
        }
    }

    private sealed interface End {}

    private record Written(EndedAttempt attempt) implements End {}

    private record Noted(JobId job) implements End {}

    private enum Texts {
        AS_THEY_ARE,
        REMOVED,
        REMOVED_AND_FAILED
    }

    private static final class Batch {
        private final List<EndedAttempt> attempts;
        private final Texts texts;
        private boolean outcomeUnknown;
        private int failures;
        private @Nullable EndedAttempt asItWas;

        Batch(List<EndedAttempt> attempts, Texts texts, boolean outcomeUnknown) {
            this.attempts = attempts;
            this.texts = texts;
            this.outcomeUnknown = outcomeUnknown;
        }

        /** Part of this batch, or another wording of it: what is not known of the whole is not known of that either. */
        Batch with(List<EndedAttempt> attempts, Texts texts) {
            Batch part = new Batch(attempts, texts, outcomeUnknown);
            part.asItWas = asItWas;
            return part;
        }

        List<Completion> completions() {
            return attempts.stream().map(EndedAttempt::completion).toList();
        }
    }
}
