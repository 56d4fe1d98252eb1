package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Contains the faults of a round and their times; a seed determines them. This record is immutable.
 *
 * @param steps the steps, in the order of their times
 */
record FaultPlan(List<Step> steps) {

    /**
     * Describes one planned fault.
     *
     * @param after time from the beginning of the plan until the fault
     * @param slot the worker's slot in the cluster
     * @param length duration of the fault, if the fault has a duration
     * @param statement a part of the text of a statement; the fault waits for the commit of such a statement. A stall
     *     then begins after the commit and before the answer to it arrives. If the fault waits for any commit, the text
     *     is empty. If the fault is a stall that begins at once, the text is also empty
     */
    record Step(Duration after, FaultKind kind, int slot, Duration length, String statement) {}

    /**
     * A fault may wait for the commit of a statement that contains one of these texts. The texts stand, in this order,
     * for the statements that write a new job, claim jobs, and write outcomes. The empty text stands for any statement.
     */
    private static final List<String> STATEMENTS =
            List.of("insert into delayjob_job", "attempt + 1", "delayjob_history", "");

    static final FaultPlan NONE = new FaultPlan(List.of());

    FaultPlan {
        steps = List.copyOf(steps);
    }

    /**
     * Creates a plan with this number of faults, at equal distances in time. All kinds of faults are equally frequent,
     * with one exception. Restarts of the server are half as frequent, because they affect all processes and take
     * longest.
     *
     * @param liveness the liveness period of the processes. Some faults are meant to exceed this period, and last at
     *     least a third longer than it. All other faults last at most half of this period
     */
    static FaultPlan random(
            long seed, Set<FaultKind> kindsOfFaults, int faults, Duration pace, int slots, Duration liveness) {
        SplittableRandom random = new SplittableRandom(seed);
        List<FaultKind> kinds = new ArrayList<>();
        while (kinds.size() < faults) {
            List<FaultKind> deck = new ArrayList<>(kindsOfFaults);
            deck.addAll(kindsOfFaults);
            deck.remove(FaultKind.RESTART);
            Collections.shuffle(deck, new Random(random.nextLong()));
            kinds.addAll(deck);
        }
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < faults; i++) {
            FaultKind kind = kinds.get(i);
            Duration after = pace.multipliedBy(i).plusMillis(random.nextLong(Math.max(1, pace.toMillis() / 2)));
            String statement = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
            steps.add(new Step(
                    after,
                    kind,
                    random.nextInt(slots),
                    length(kind, liveness, random),
                    kind.isAtCommit() ? statement : ""));
        }
        return new FaultPlan(steps);
    }

    private static Duration length(FaultKind kind, Duration liveness, RandomGenerator random) {
        boolean outlasts = kind == FaultKind.PAUSE || kind != FaultKind.HALT && kind.silences() && random.nextBoolean();
        long millis = liveness.toMillis();
        return Duration.ofMillis(
                outlasts ? millis * 4 / 3 + random.nextLong(millis / 2) : 100 + random.nextLong(millis / 2 - 100));
    }
}
