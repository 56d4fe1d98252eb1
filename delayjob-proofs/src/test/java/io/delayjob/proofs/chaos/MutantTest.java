package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Engines that break a rule of the protocol are found out, by the check for it; under the same faults, with the same seed, the
 * real one is not. Rounds run side by side, each on a database of its own, for most of their time is waiting.
 */
class MutantTest {

    private static final int AT_ONCE = 5;
    private static final int WORKERS = 2;
    private static final long SEED = 5;

    /** A trial is a mutant under the profile that brings it to light. */
    private record Trial(Mutant mutant, Profile profile) {}

    private static final Map<Trial, Future<Map<Check, List<String>>>> TRIALS =
            new TreeMap<>(Comparator.comparing(Trial::profile).thenComparing(Trial::mutant));

    private static ExecutorService hands;
    private static Rounds rounds;

    /**
     * What brings them to light: a leader that hears too late of the end of its leases, pauses that outlast a liveness while jobs
     * run, a kill while rows wait in memory, and claims without an answer by a process that stays alive.
     */
    private static final FaultPlan PLAN = new FaultPlan(List.of(
            step(300, FaultKind.STALL_REQUESTS, 0, 2_200),
            step(2_800, FaultKind.PAUSE, 0, 2_000),
            step(5_000, FaultKind.PAUSE, 1, 2_000),
            step(7_200, FaultKind.KILL, 1, 0),
            step(7_400, FaultKind.LOSE_ANSWER, 0, 0),
            step(7_600, FaultKind.LOSE_ANSWER, 0, 0)));

    private static Step step(long afterMillis, FaultKind kind, int slot, long millis) {
        return new Step(Duration.ofMillis(afterMillis), kind, slot, Duration.ofMillis(millis), "attempt + 1");
    }

    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(Mutant.HOST_NAME_AS_LEASE_OWNER, Profile.FAST, Check.ONE_LEADER),
                Arguments.of(Mutant.HAND_OVER_BEFORE_COMMIT, Profile.HAND_OVER_ONLY, Check.NOTHING_LOST),
                Arguments.of(Mutant.NO_CLAIM, Profile.FAST, Check.NO_ATTEMPT_TWICE),
                Arguments.of(Mutant.CLAIM_WITHOUT_TOKEN, Profile.HAND_OVER_ONLY, Check.NEVER_EARLY),
                Arguments.of(Mutant.BLIND_CANCEL, Profile.HAND_OVER_ONLY, Check.NO_ATTEMPT_HIDDEN_BY_CANCEL),
                Arguments.of(Mutant.COMPLETION_BY_STATE_ONLY, Profile.FAST, Check.NO_STALE_COMPLETION),
                Arguments.of(Mutant.UNKNOWN_CLAIMS_NOT_RELEASED, Profile.FAST, Check.NOTHING_LOST),
                Arguments.of(Mutant.CURSOR_WITHOUT_SWEEP, Profile.FAST, Check.NOTHING_LOST),
                Arguments.of(Mutant.APPLICATION_CLOCK, Profile.HAND_OVER_ONLY, Check.NEVER_EARLY));
    }

    static Stream<Profile> profiles() {
        return Stream.of(Profile.FAST, Profile.HAND_OVER_ONLY);
    }

    @BeforeAll
    static void begin() {
        rounds = Rounds.open();
        hands = Executors.newFixedThreadPool(AT_ONCE);
        Stream.concat(
                        profiles().map(profile -> new Trial(Mutant.NONE, profile)),
                        mutants().map(trial -> new Trial((Mutant) trial.get()[0], (Profile) trial.get()[1])))
                .forEach(trial -> TRIALS.put(trial, hands.submit(() -> violations(trial))));
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
        Map<Check, List<String>> violations =
                TRIALS.get(new Trial(Mutant.NONE, profile)).get();

        assertThat(violations).as(Rounds.told(violations)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aMutant_isFoundOutByTheCheckForIt(Mutant mutant, Profile profile, Check check) throws Exception {
        Map<Check, List<String>> violations =
                TRIALS.get(new Trial(mutant, profile)).get();

        System.out.printf("mutant %s, seed %d, violates %s%n", mutant, SEED, Rounds.told(violations));
        assertThat(violations).containsKey(check);
    }

    @Test
    void noMutant_isLeftOut() {
        Set<Mutant> tried = mutants().map(trial -> (Mutant) trial.get()[0]).collect(Collectors.toSet());

        assertThat(Mutant.values()).allMatch(mutant -> mutant == Mutant.NONE || tried.contains(mutant));
    }

    private static Map<Check, List<String>> violations(Trial trial) {
        // What is not read ahead is lost with its process: there the mutants have to do without faults.
        boolean faults = trial.profile() == Profile.FAST;
        return Check.violationsIn(rounds.run(new Round.Setup(
                SEED,
                trial.profile(),
                trial.mutant(),
                WORKERS,
                200,
                0,
                Duration.ofMillis(1_500),
                Duration.ofSeconds(2),
                Duration.ofSeconds(4),
                faults ? PLAN : FaultPlan.NONE)));
    }
}
