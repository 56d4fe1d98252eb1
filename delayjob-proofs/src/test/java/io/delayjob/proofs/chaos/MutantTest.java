package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Engines that break a rule of the protocol are found out, by the check for it; under the same faults, with the same
 * seeds, the real one is not. Rounds run side by side, each on a database of its own, for most of their time is
 * waiting.
 *
 * <p>Real processes race each other, so one round may go well by luck: then another seed is tried, a few times.
 */
@Tag("full")
@Isolated("six processes are enough")
class MutantTest {

    private static final int AT_ONCE = 3;
    private static final int WORKERS = 2;
    private static final long FIRST_SEED = 5;
    private static final long LAST_SEED = 16;
    private static final int JOBS = 500;

    /**
     * A mutant that has lost jobs waits for them for so long, the real one for longer: it is in no hurry to be accused.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final Duration PATIENCE_WITH_THE_REAL_ONE = Duration.ofSeconds(30);

    /** A trial is a mutant under the profile that brings it to light. */
    private record Trial(Mutant mutant, Profile profile, long seed) {}

    private static final Map<Trial, Future<Map<Check, List<String>>>> TRIALS = new ConcurrentHashMap<>();

    private static ExecutorService hands;
    private static Rounds rounds;

    /**
     * What brings them to light: processes that fall silent for longer than a liveness while jobs run, just when leases
     * are being renewed, so that the renewal of the next one comes when it has another leader; a pause that the process
     * does not notice; a kill while rows wait in memory; and claims without an answer by a process that stays alive.
     */
    private static final FaultPlan PLAN = new FaultPlan(List.of(
            step(300, FaultKind.STALL_REQUESTS, 1, 2_700, "update shedlock"),
            step(4_800, FaultKind.STALL_REQUESTS, 0, 2_700, "update shedlock"),
            step(8_300, FaultKind.PAUSE, 1, 2_300, ""),
            step(11_000, FaultKind.KILL, 1, 0, ""),
            step(11_200, FaultKind.LOSE_ANSWER, 0, 0, "attempt + 1"),
            step(11_400, FaultKind.LOSE_ANSWER, 0, 0, "attempt + 1")));

    private static Step step(long afterMillis, FaultKind kind, int slot, long millis, String statement) {
        return new Step(Duration.ofMillis(afterMillis), kind, slot, Duration.ofMillis(millis), statement);
    }

    /** All of them, or the one that {@code -Dmutant} names. */
    static Stream<Arguments> mutants() {
        String only = System.getProperty("mutant");
        return allMutants().filter(trial -> only == null || trial.get()[0] == Mutant.valueOf(only));
    }

    private static Stream<Arguments> allMutants() {
        return Stream.of(
                Arguments.of(Mutant.HOST_NAME_AS_LEASE_OWNER, Profile.FAST, Check.ONE_LEADER),
                Arguments.of(Mutant.HAND_OVER_BEFORE_COMMIT, Profile.HAND_OVER_ONLY, Check.NOTHING_LOST),
                Arguments.of(Mutant.COMPLETION_BY_STATE_ONLY, Profile.FAST, Check.NO_STALE_COMPLETION),
                Arguments.of(Mutant.UNKNOWN_CLAIMS_NOT_RELEASED, Profile.FAST, Check.NOTHING_LOST),
                Arguments.of(Mutant.EFFECT_APART_FROM_ITS_END, Profile.FAST, Check.EFFECT_WITH_ITS_END));
    }

    static Stream<Profile> profiles() {
        return Stream.of(Profile.FAST, Profile.HAND_OVER_ONLY);
    }

    @BeforeAll
    static void begin() {
        rounds = Rounds.open();
        hands = Executors.newFixedThreadPool(AT_ONCE);
        profiles().forEach(profile -> begin(new Trial(Mutant.NONE, profile, FIRST_SEED)));
        mutants().forEach(trial -> begin(new Trial((Mutant) trial.get()[0], (Profile) trial.get()[1], FIRST_SEED)));
    }

    @AfterAll
    static void close() {
        if (rounds != null) {
            hands.shutdownNow();
            rounds.close();
        }
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void theRealOne_violatesNothing(Profile profile) throws Exception {
        assertThatTheRealOneViolatesNothing(profile, FIRST_SEED);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aMutant_isFoundOutByTheCheckForIt(Mutant mutant, Profile profile, Check check) throws Exception {
        long seed = FIRST_SEED;
        Map<Check, List<String>> violations = violations(new Trial(mutant, profile, seed));
        while (!violations.containsKey(check) && seed < LAST_SEED) {
            Trial again = new Trial(mutant, profile, ++seed);
            begin(again);
            assertThatTheRealOneViolatesNothing(profile, seed);
            violations = violations(again);
        }

        System.out.printf("mutant %s, seed %d, violates %s%n", mutant, seed, Rounds.told(violations));
        assertThat(violations).containsKey(check);
    }

    @Test
    void noMutant_isLeftOut() {
        Set<Mutant> tried = allMutants().map(trial -> (Mutant) trial.get()[0]).collect(Collectors.toSet());

        assertThat(Mutant.values())
                .allMatch(mutant -> mutant == Mutant.NONE
                        || tried.contains(mutant)
                        || AnswersMutantTest.tried().contains(mutant)
                        || LimitsMutantTest.tried().contains(mutant));
    }

    private static void assertThatTheRealOneViolatesNothing(Profile profile, long seed) throws Exception {
        Map<Check, List<String>> violations = violations(new Trial(Mutant.NONE, profile, seed));

        assertThat(violations).as("seed %d%n%s", seed, Rounds.told(violations)).isEmpty();
    }

    private static Map<Check, List<String>> violations(Trial trial) throws ExecutionException, InterruptedException {
        return begin(trial).get();
    }

    private static Future<Map<Check, List<String>>> begin(Trial trial) {
        return TRIALS.computeIfAbsent(trial, added -> hands.submit(() -> Check.violationsIn(rounds.run(setup(added)))));
    }

    private static Round.Setup setup(Trial trial) {
        // What is not read ahead is lost with its process: there the mutants have to do without faults.
        boolean faults = trial.profile() == Profile.FAST;
        return new Round.Setup(
                trial.seed(),
                trial.profile(),
                trial.mutant(),
                WORKERS,
                200,
                JOBS,
                Duration.ofMillis(1_500),
                Duration.ZERO,
                trial.mutant() == Mutant.NONE ? PATIENCE_WITH_THE_REAL_ONE : PATIENCE,
                faults ? PLAN : FaultPlan.NONE);
    }
}
