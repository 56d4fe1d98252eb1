package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The faults of a round and their times; a seed determines them. Immutable. */
record FaultPlan(List<Step> steps) {

    /**
     * @param after time from the beginning of the plan until the fault
     * @param statement a part of the text of the statement that the fault waits for; empty if the fault waits for any
     *     commit, or does not wait
     */
    record Step(Duration after, FaultKind kind, int slot, Duration length, String statement) {}

    /** Parts of these statements, in this order: write a new job, claim jobs, write outcomes, any statement. */
    private static final List<String> STATEMENTS =
            List.of("insert into delayjob_job", "attempt + 1", "delayjob_history", "");

    static final FaultPlan NONE = new FaultPlan(List.of());

    FaultPlan {
        steps = List.copyOf(steps);
    }

    /**
     * Restarts of the server are half as frequent as other faults, because they take longest and affect all processes.
     *
     * @param liveness a period: some faults last at least a third longer than this period, and all other faults last at
     *     most half of this period
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
