package io.delayjob.proofs.chaos;

import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All facts about a round that do not come from the engine itself: the ledgers of the processes, the injected faults,
 * and the rows in the database at the end. Immutable.
 *
 * @param ledgers ledgers by process
 * @param faults injected faults
 * @param rows rows of jobs at the end, finished or not
 * @param accepted outcomes of attempts that the database has accepted
 * @param committed numbers of the committed transactions
 * @param effects rows written by atomic handlers
 */
record Evidence(
        Profile profile,
        Map<String, List<LedgerLine>> ledgers,
        List<Fault> faults,
        List<Row> rows,
        List<Accepted> accepted,
        Set<Long> committed,
        List<Effect> effects) {

    /** A job's row. */
    record Row(JobId job, JobState state, @Nullable String key) {}

    /** A line of the attempt log, which is written together with the outcome of the attempt. */
    record Accepted(JobId job, int run, int attempt, String outcome) {

        boolean endedItsRun() {
            return outcome.equals("SUCCEEDED");
        }
    }

    /** A row that the handler of an atomic job wrote, in the transaction of that attempt. */
    record Effect(JobId job, int attempt) {}

    Evidence {
        ledgers = Map.copyOf(ledgers);
        faults = List.copyOf(faults);
        rows = List.copyOf(rows);
        accepted = List.copyOf(accepted);
        committed = Set.copyOf(committed);
        effects = List.copyOf(effects);
    }
}
