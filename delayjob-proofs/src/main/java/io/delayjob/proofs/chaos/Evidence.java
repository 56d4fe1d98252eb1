package io.delayjob.proofs.chaos;

import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All facts about a round that were recorded outside of the engine. Immutable. */
record Evidence(
        Profile profile,
        Map<String, List<LedgerLine>> ledgers,
        List<Fault> faults,
        List<Row> rows,
        List<Accepted> accepted,
        Set<Long> committed,
        List<Effect> effects) {

    record Row(JobId job, JobState state, @Nullable String key, int partition) {}

    /** Written together with the outcome of the attempt. */
    record Accepted(JobId job, int run, int attempt, String outcome) {

        boolean endedItsRun() {
            return outcome.equals("SUCCEEDED");
        }
    }

    /** Written in the transaction of the attempt. */
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
