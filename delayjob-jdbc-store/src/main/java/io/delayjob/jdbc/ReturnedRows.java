package io.delayjob.jdbc;

import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.job.Transition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes the row of a job that waits for another attempt. Thread-safe. */
final class ReturnedRows {

    private record Return(Completion completion, Transition.Again again) {

        JobId id() {
            return completion.job().id();
        }

        boolean isNewRun() {
            return !again.retries(completion.job());
        }
    }

    private final Database database;
    private final Database.Steps script;

    private ReturnedRows(Database database, Database.Steps script) {
        this.database = database;
        this.script = script;
    }

    static ReturnedRows inAny(Database database) {
        return new ReturnedRows(
                database, database.steps(database.dialect().ends().returnJobs()));
    }

    static ReturnedRows inOwn(Database database) {
        return new ReturnedRows(
                database, database.ownSteps(database.dialect().ends().returnJobs()));
    }

    /**
     * Returns the jobs that were not written. Such jobs are locked or gone, have another token, or have a request to
     * cancel them.
     */
    Set<JobId> write(Collection<Completion> completions) {
        List<Return> returns = new ArrayList<>(0);
        for (Completion completion : completions) {
            if (completion.next() instanceof Transition.Again again) {
                returns.add(new Return(completion, again));
            }
        }
        returns.sort(Comparator.comparing(Return::id));
        Set<JobId> refused = new HashSet<>();
        if (returns.isEmpty()) {
            return refused;
        }
        Parameters parameters = Parameters.none()
                .uuids("id", returns, back -> back.id().value())
                .longs("token", returns, back -> back.completion().job().token())
                .longs("freshToken", returns, back -> back.completion().freshToken())
                .ints("run", returns, back -> back.again().run())
                .booleans("newRun", returns, Return::isNewRun)
                .longs("plannedAt", returns, back -> back.again().plannedAt().toEpochMilli())
                .longs("dueAt", returns, back -> back.again().dueAt().toEpochMilli())
                .ints("failures", returns, back -> back.again().failures())
                .booleans("awaiting", returns, back -> back.again().awaiting())
                .ints("doubt", returns, back -> back.completion().inDoubtChange())
                .texts("extras", returns, back -> back.completion().newExtras());
        returns.forEach(back -> refused.add(back.id()));
        database.run(script, parameters, JobRows::id).forEach(refused::remove);
        return refused;
    }
}
