package io.delayjob.proofs.chaos;

import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Contains all facts about a round from outside of the engine: ledgers of processes, injected faults, and the rows in
 * the database at the end. This record is immutable.
 *
 * @param ledgers the ledgers, by process
 * @param faults the injected faults
 * @param rows the rows of jobs at the end of the round, finished or not
 * @param accepted the attempts' outcomes that the database has accepted
 * @param committed the transactions that have committed, by their numbers
 * @param effects rows that atomic handlers wrote
 */
record Evidence(
        Profile profile,
        Map<String, List<LedgerLine>> ledgers,
        List<Fault> faults,
        List<Row> rows,
        List<Accepted> accepted,
        Set<Long> committed,
        List<Effect> effects) {

    /**
     * Describes the row of a job.
     *
     * @param partition index of the row's partition in its queue
     */
    record Row(JobId job, JobState state, @Nullable String key, int partition) {}

    /** Describes a line of the attempt log, which is written together with the outcome of the attempt. */
    record Accepted(JobId job, int run, int attempt, String outcome) {

        boolean endedItsRun() {
            return outcome.equals("SUCCEEDED");
        }
    }

    /** Describes a row that the handler of an atomic job wrote in the transaction of its attempt. */
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
