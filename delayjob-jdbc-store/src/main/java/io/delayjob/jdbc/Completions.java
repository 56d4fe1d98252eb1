package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ends of attempts. A batch is one transaction: the rows that wait again, the rows that end, and, only if
 * the fence refused some, a look at why. Thread-safe.
 */
final class Completions {

    private record Return(Completion completion, Transition.Again again) {
        boolean isNewRun() {
            return again.run() != completion.job().run();
        }
    }

    private final Transactions transactions;
    private final Database database;
    private final Endings endings;
    private final JobLocator locator;
    private final Database.Steps returnJobs;
    private final AttemptLog attempts;
    private final Database.Steps settleDoubt;
    private final Database.Steps settleDoubtInHistory;

    Completions(Transactions transactions, Database database, Endings endings, JobLocator locator) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.endings = endings;
        this.locator = locator;
        this.returnJobs = database.ownSteps(dialect.returnJobs());
        this.attempts = new AttemptLog(database);
        this.settleDoubt = database.ownSteps(dialect.settleDoubt());
        this.settleDoubtInHistory = database.keptSteps(dialect.settleDoubtInHistory());
    }

    List<CompletionResult> complete(List<Completion> completions) {
        if (completions.isEmpty()) {
            return List.of();
        }
        return transactions.own("completing %d attempts".formatted(completions.size()), () -> {
            Map<Long, CompletionResult> results = new HashMap<>();
            for (Map<JobId, Completion> pass : passes(completions)) {
                Map<JobId, CompletionResult> written = write(List.copyOf(pass.values()));
                pass.forEach((id, completion) ->
                        results.put(completion.freshToken(), written.getOrDefault(id, CompletionResult.FENCED)));
            }
            return completions.stream()
                    .map(completion -> Objects.requireNonNull(results.get(completion.freshToken())))
                    .toList();
        });
    }

    /**
     * Writes one end within the transaction under way, fenced as any. Whatever isolation that has, nothing is read but
     * the row as it was locked.
     *
     * @param locked its row, locked by that transaction; {@code null}: there is none
     * @return whether it was accepted, never {@link CompletionResult#LOCKED}
     */
    CompletionResult complete(Completion completion, @Nullable Job locked) {
        boolean cancelled = locked != null && locked.cancelRequested() && !finishes(completion);
        CompletionResult result = cancelled ? CompletionResult.ACCEPTED_CANCELLED : CompletionResult.ACCEPTED;
        if (!write(completion, cancelled)) {
            return CompletionResult.FENCED;
        }
        if (!leavesNoRow(completion, Map.of(completion.job().id(), result))) {
            attempts.write(List.of(completion));
        }
        return result;
    }

    private boolean write(Completion completion, boolean cancelled) {
        if (cancelled) {
            return !endings.write(List.of(Endings.Ending.of(completion, JobState.CANCELLED)))
                    .isEmpty();
        }
        return completion.next() instanceof Transition.Ended ended
                ? !endings.write(List.of(Endings.Ending.of(completion, ended.state())))
                        .isEmpty()
                : !returnJobs(List.of(completion)).isEmpty();
    }

    /**
     * One pass in all but rare cases, for each holds a job once: the end of an attempt that was given up for lost may
     * come together with that of its successor, and what the statements answer for a job must not be taken for both.
     */
    private static List<Map<JobId, Completion>> passes(List<Completion> completions) {
        List<Map<JobId, Completion>> passes = new ArrayList<>();
        for (Completion completion : completions) {
            JobId id = completion.job().id();
            Map<JobId, Completion> pass = passes.stream()
                    .filter(earlier -> !earlier.containsKey(id))
                    .findFirst()
                    .orElse(null);
            if (pass == null) {
                pass = new LinkedHashMap<>();
                passes.add(pass);
            }
            pass.put(id, completion);
        }
        return passes;
    }

    private Map<JobId, CompletionResult> write(List<Completion> completions) {
        Map<JobId, CompletionResult> results = new HashMap<>();
        Set<JobId> applied = new HashSet<>(returnJobs(completions));
        applied.addAll(endings.write(completions.stream()
                .filter(completion -> completion.next() instanceof Transition.Ended)
                .map(completion -> Endings.Ending.of(completion, ((Transition.Ended) completion.next()).state()))
                .toList()));
        applied.forEach(id -> results.put(id, CompletionResult.ACCEPTED));
        List<Completion> refused = completions.stream()
                .filter(completion -> !applied.contains(completion.job().id()))
                .toList();
        if (!refused.isEmpty()) {
            applied.addAll(judge(refused, results));
        }
        attempts.write(completions.stream()
                .filter(completion -> applied.contains(completion.job().id()))
                .filter(completion -> !leavesNoRow(completion, results))
                .toList());
        return results;
    }

    private List<JobId> returnJobs(List<Completion> completions) {
        List<Return> returns = completions.stream()
                .filter(completion -> completion.next() instanceof Transition.Again)
                .map(completion -> new Return(completion, (Transition.Again) completion.next()))
                .sorted(Comparator.comparing(back -> back.completion().job().id()))
                .toList();
        if (returns.isEmpty()) {
            return List.of();
        }
        Parameters parameters = Parameters.none()
                .uuids("id", returns, back -> back.completion().job().id().value())
                .longs("token", returns, back -> back.completion().job().token())
                .longs("freshToken", returns, back -> back.completion().freshToken())
                .ints("run", returns, back -> back.again().run())
                .booleans("newRun", returns, Return::isNewRun)
                .longs("plannedAt", returns, back -> back.again().plannedAt().toEpochMilli())
                .longs("dueAt", returns, back -> back.again().dueAt().toEpochMilli())
                .ints("failures", returns, back -> back.again().failures())
                .ints("doubt", returns, back -> back.completion().inDoubtChange());
        return database.run(returnJobs, parameters, JobRows::id);
    }

    /**
     * Why nothing was written: the row still bears the token of the claim, so a cancellation was requested, or somebody
     * holds it; or it bears the completion's own fresh token, so the same completion was written before and its answer
     * lost; or it has moved on, or has gone.
     *
     * @return the jobs that are ended as cancelled now
     */
    private Set<JobId> judge(List<Completion> refused, Map<JobId, CompletionResult> results) {
        Map<JobId, JobLocator.Located> found =
                locator.find(refused, completion -> completion.job().id());
        List<Endings.Ending> cancelled = new ArrayList<>();
        for (Completion completion : refused) {
            JobId id = completion.job().id();
            JobLocator.Located row = found.get(id);
            if (row == null) {
                results.put(id, CompletionResult.GONE);
            } else if (row.token() == completion.freshToken()) {
                results.put(id, answeredBefore(completion, row.state()));
            } else if (row.token() == completion.job().token() && row.state() == JobState.RUNNING) {
                results.put(id, CompletionResult.LOCKED);
                if (row.cancelRequested() && !finishes(completion)) {
                    cancelled.add(Endings.Ending.of(completion, JobState.CANCELLED));
                }
            }
        }
        Set<JobId> ended = endings.write(cancelled);
        ended.forEach(id -> results.put(id, CompletionResult.ACCEPTED_CANCELLED));
        return ended;
    }

    private static CompletionResult answeredBefore(Completion completion, JobState state) {
        boolean asSent =
                completion.next() instanceof Transition.Ended ended ? state == ended.state() : !state.isEnded();
        return asSent ? CompletionResult.ACCEPTED : CompletionResult.ACCEPTED_CANCELLED;
    }

    /** Nothing would ever take the lines of such a job away. */
    private static boolean leavesNoRow(Completion completion, Map<JobId, CompletionResult> results) {
        if (completion.keep()) {
            return false;
        }
        boolean cancelled = results.get(completion.job().id()) == CompletionResult.ACCEPTED_CANCELLED;
        return cancelled || finishes(completion);
    }

    /** Whether the job ends well, which no cancellation changes. */
    private static boolean finishes(Completion completion) {
        return completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
    }

    /** Lowers the doubt of each job by as often as it is named. */
    void settleDoubt(Collection<JobId> ids) {
        if (ids.isEmpty()) {
            return;
        }
        Map<JobId, Integer> timesById = new TreeMap<>();
        ids.forEach(id -> timesById.merge(id, 1, Integer::sum));
        Map<Integer, List<JobId>> idsByTimes = new TreeMap<>();
        timesById.forEach((id, times) ->
                idsByTimes.computeIfAbsent(times, t -> new ArrayList<>()).add(id));
        transactions.own("settling the doubt about %d attempts".formatted(ids.size()), () -> {
            idsByTimes.forEach((times, jobs) -> {
                Parameters parameters =
                        Parameters.none().uuids("id", jobs, JobId::value).set("by", times);
                database.run(settleDoubt, parameters, JobRows::id);
                database.run(settleDoubtInHistory, parameters, JobRows::id);
            });
            return idsByTimes;
        });
    }
}
