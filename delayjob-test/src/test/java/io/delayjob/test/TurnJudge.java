package io.delayjob.test;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks in calm times whether the fair keys of a handler take turns on each instance. */
final class TurnJudge {

    /** {@code sweep.grace} and twice {@code sweep.interval}: until then, an instance finds each job of another key. */
    private static final long FOUND_NANOS = 2_200_000_000L;

    private final Judge judge;
    private final VirtualClock truth;
    private boolean calm;
    private final List<Turn> turns = new ArrayList<>();

    /** The first waiting job of a key, and the time from which it takes part in turns. */
    private final Map<JobId, Long> waitingSince = new HashMap<>();

    private final Set<String> keys = new HashSet<>();

    /** A claim of a job with a fair key. */
    private record Turn(Node node, String key, JobId job, long nanos) {}

    TurnJudge(Judge judge, VirtualClock truth) {
        this.judge = judge;
        this.truth = truth;
    }

    /** From now on, nothing goes wrong, and the first job of each new key is checked. */
    void begin() {
        calm = true;
    }

    /** Records a job of a fair key. Its instance knows it at once if it leads its partition. */
    void submitted(Node node, JobId id, Partition partition, String key) {
        if (calm && keys.add(key)) {
            waitingSince.put(id, truth.nanoTime() + (node.leads(partition) ? 0 : FOUND_NANOS));
        }
    }

    /** Checks that each other key had at most one turn on this instance while this job waited. */
    void claimed(Node node, Job job, String key) {
        long now = truth.nanoTime();
        Long since = waitingSince.remove(job.id());
        if (since != null) {
            Map<String, Integer> others = new HashMap<>();
            turns.stream()
                    .filter(turn -> turn.node == node && turn.nanos > since && turn.nanos < now)
                    .forEach(turn -> others.merge(turn.key, 1, Integer::sum));
            others.values().removeIf(count -> count <= 1);
            if (!others.isEmpty()) {
                judge.violated(
                        Check.TURNS_TAKEN,
                        job.id(),
                        "job %s of '%s' has waited on %s while others had several turns: %s",
                        job.id(),
                        key,
                        node,
                        others);
            }
        }
        turns.add(new Turn(node, key, job.id(), now));
    }
}
