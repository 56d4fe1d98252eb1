package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.EndSql;
import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the outcomes of attempts, each batch in one transaction. Each transaction first writes jobs that wait for
 * another attempt, then ended jobs, then the next jobs of chains. Thread-safe.
 */
final class CompletedRows {

    private final Transactions transactions;
    private final HeldRows held = new HeldRows();
    private final Database database;
    private final Endings endings;
    private final Endings straightEndings;
    private final JobLocator locator;
    private final ReturnedRows returned;
    private final AttemptRows attempts;
    private final Followers followers;
    private final Database.Steps settleDoubt;
    private final Database.Steps settleDoubtInHistory;

    CompletedRows(
            Transactions transactions, Database database, Endings endings, Followers followers, JobLocator locator) {
        EndSql sql = database.dialect().ends();
        this.transactions = transactions;
        this.database = database;
        this.endings = endings;
        this.followers = followers;
        this.straightEndings = Endings.straightInOwn(database);
        this.locator = locator;
        this.returned = ReturnedRows.inOwn(database);
        this.attempts = AttemptRows.inOwn(database);
        this.settleDoubt = database.ownSteps(sql.settleDoubt());
        this.settleDoubtInHistory = database.keptSteps(sql.settleDoubtInHistory());
    }

    List<CompletionResult> complete(List<Completion> completions) {
        if (completions.isEmpty()) {
            return List.of();
        }
        followers.prepare(completions);
        return transactions.own(
                "completing " + completions.size() + " attempts",
                held,
                () -> write(completions, straightEndings),
                () -> write(completions, endings));
    }

    private List<CompletionResult> write(List<Completion> completions, Endings way) {
        List<Completion> inOrder = new ArrayList<>(completions);
        inOrder.sort(Comparator.comparing(CompletedRows::id));
        if (areOfDifferentJobs(inOrder)) {
            return writeOnce(completions, inOrder, way);
        }
        List<List<Completion>> passes = passes(completions);
        Map<Long, CompletionResult> results = new HashMap<>();
        for (List<Completion> pass : passes) {
            List<CompletionResult> written = writeOnce(pass, pass, way);
            for (int i = 0; i < written.size(); i++) {
                results.put(pass.get(i).freshToken(), written.get(i));
            }
        }
        return completions.stream()
                .map(completion -> Objects.requireNonNull(results.get(completion.freshToken())))
                .toList();
    }

    /**
     * If an attempt that counted as lost ends together with the next attempt, the list contains two completions of the
     * job.
     */
    private static boolean areOfDifferentJobs(List<Completion> inOrder) {
        for (int i = 1; i < inOrder.size(); i++) {
            if (id(inOrder.get(i)).equals(id(inOrder.get(i - 1)))) {
                return false;
            }
        }
        return true;
    }

    private static JobId id(Completion completion) {
        return completion.job().id();
    }

    /**
     * Divides the completions into parts, each with at most one attempt of a job. Otherwise, the store could not tell
     * which attempt was written.
     */
    private static List<List<Completion>> passes(List<Completion> completions) {
        List<List<Completion>> passes = new ArrayList<>();
        Map<JobId, Integer> passesOfJob = new HashMap<>();
        for (Completion completion : completions) {
            int pass = passesOfJob.merge(completion.job().id(), 1, Integer::sum) - 1;
            if (pass == passes.size()) {
                passes.add(new ArrayList<>());
            }
            passes.get(pass).add(completion);
        }
        return passes;
    }

    /** Returns the results in the order of {@code completions}. */
    private List<CompletionResult> writeOnce(List<Completion> completions, List<Completion> asWritten, Endings way) {
        Set<JobId> refused = returned.write(asWritten);
        List<Endings.Ending> ended = new ArrayList<>(asWritten.size());
        for (Completion completion : asWritten) {
            if (completion.next() instanceof Transition.Ended end) {
                ended.add(Endings.Ending.of(completion, end.state()));
            }
        }
        refused.addAll(way.write(ended));
        if (refused.isEmpty()) {
            followers.write(completions);
            attempts.write(completions.stream()
                    .filter(completion -> !OneEnd.leavesNoRow(completion, CompletionResult.ACCEPTED))
                    .toList());
            return Collections.nCopies(completions.size(), CompletionResult.ACCEPTED);
        }
        followers.write(completions.stream()
                .filter(completion -> !refused.contains(completion.job().id()))
                .toList());
        Map<JobId, CompletionResult> judged = judge(
                completions.stream()
                        .filter(completion -> refused.contains(completion.job().id()))
                        .toList(),
                refused);
        attempts.write(completions.stream()
                .filter(completion -> !refused.contains(completion.job().id()))
                .filter(completion -> !OneEnd.leavesNoRow(
                        completion, judged.getOrDefault(completion.job().id(), CompletionResult.ACCEPTED)))
                .toList());
        return completions.stream()
                .map(completion -> judged.getOrDefault(completion.job().id(), CompletionResult.ACCEPTED))
                .toList();
    }

    /**
     * Finds out why rows were not written. If a row has the new token, an earlier try has written the row.
     *
     * @param stillRefused the refused jobs; if this method ends a job as cancelled, it removes the job from this set
     */
    private Map<JobId, CompletionResult> judge(List<Completion> refused, Set<JobId> stillRefused) {
        Map<JobId, CompletionResult> results = new HashMap<>();
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
                if (row.cancelRequested() && !OneEnd.finishes(completion)) {
                    cancelled.add(Endings.Ending.of(completion, JobState.CANCELLED));
                }
            } else {
                boolean superseded = completion.isSupersededIn(row.run(), row.attempt(), row.rescues());
                results.put(id, superseded ? CompletionResult.SUPERSEDED : CompletionResult.FENCED);
            }
        }
        Set<JobId> locked = endings.write(cancelled);
        for (Endings.Ending ending : cancelled) {
            if (!locked.contains(ending.id())) {
                results.put(ending.id(), CompletionResult.ACCEPTED_CANCELLED);
                stillRefused.remove(ending.id());
            }
        }
        return results;
    }

    private static CompletionResult answeredBefore(Completion completion, JobState state) {
        boolean asSent =
                completion.next() instanceof Transition.Ended ended ? state == ended.state() : !state.isEnded();
        return asSent ? CompletionResult.ACCEPTED : CompletionResult.ACCEPTED_CANCELLED;
    }

    /** Returns the jobs whose rows other transactions have locked or moved. */
    List<JobId> settleDoubt(Collection<JobId> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<JobId, Integer> timesById = new TreeMap<>();
        ids.forEach(id -> timesById.merge(id, 1, Integer::sum));
        Map<Integer, List<JobId>> idsByTimes = new TreeMap<>();
        timesById.forEach((id, times) ->
                idsByTimes.computeIfAbsent(times, t -> new ArrayList<>()).add(id));
        return transactions.own("recording that %d lost attempts have ended".formatted(ids.size()), () -> {
            Set<JobId> settled = new HashSet<>();
            idsByTimes.forEach((times, jobs) -> {
                Parameters parameters =
                        Parameters.none().uuids("id", jobs, JobId::value).set("by", times);
                settled.addAll(database.run(settleDoubt, parameters, JobRows::id));
                settled.addAll(database.run(settleDoubtInHistory, parameters, JobRows::id));
            });
            return skipped(ids, settled);
        });
    }

    private List<JobId> skipped(Collection<JobId> ids, Set<JobId> settled) {
        List<JobId> others = ids.stream().filter(id -> !settled.contains(id)).toList();
        if (others.isEmpty()) {
            return others;
        }
        Set<JobId> existing = locator.find(others, id -> id).keySet();
        return others.stream().filter(existing::contains).toList();
    }
}
