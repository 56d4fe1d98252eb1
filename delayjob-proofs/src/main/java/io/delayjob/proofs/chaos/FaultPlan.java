package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Which faults are to happen when; from a seed. Immutable.
 *
 * @param steps in the order of their times
 */
record FaultPlan(List<Step> steps) {

    /**
     * One fault.
     *
     * @param after how long after the plan's begin
     * @param slot to which of the cluster's workers
     * @param length how long it lasts, where it lasts
     * @param statement text of a statement. What is about a commit is about one of that; a stall begins while the
     *     answer to the commit of one is on its way. Empty: any commit, and at once
     */
    record Step(Duration after, FaultKind kind, int slot, Duration length, String statement) {}

    /** A new job, a claim, an end, and anything at all that is committed. */
    private static final List<String> STATEMENTS =
            List.of("insert into delayjob_job", "attempt + 1", "delayjob_history", "");

    static final FaultPlan NONE = new FaultPlan(List.of());

    FaultPlan {
        steps = List.copyOf(steps);
    }

    /**
     * So many faults, at an even pace, each kind as often as any other but for restarts of the database, which hit
     * everybody and take longest: they are half as many.
     *
     * @param liveness what is to outlast it lasts a third longer at least; what is not, half as long at most
     */
    static FaultPlan random(long seed, int faults, Duration pace, int slots, Duration liveness) {
        SplittableRandom random = new SplittableRandom(seed);
        List<FaultKind> kinds = new ArrayList<>();
        while (kinds.size() < faults) {
            List<FaultKind> deck = new ArrayList<>(List.of(FaultKind.values()));
            deck.addAll(List.of(FaultKind.values()));
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
        boolean outlasts = kind == FaultKind.PAUSE || kind.silences() && random.nextBoolean();
        long millis = liveness.toMillis();
        return Duration.ofMillis(
                outlasts ? millis * 4 / 3 + random.nextLong(millis / 2) : 100 + random.nextLong(millis / 2 - 100));
    }
}
