package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Engines that break a rule of limits are found out by the check for it, and the real engine is not, under the same
 * faults. Rounds run side by side, because most of their time is waiting.
 */
@Tag("full")
@Isolated("six processes are enough")
class LimitsMutantTest {

    private static final int AT_ONCE = 2;

    /** Partitions change hands while jobs run, because processes stop in good order and others take their place. */
    private static final FaultPlan PLAN = new FaultPlan(Stream.of(2_000, 4_500, 7_000)
            .map(after -> new Step(Duration.ofMillis(after), FaultKind.TERMINATE, after / 2_000 % 3, Duration.ZERO, ""))
            .toList());

    private static MutantRounds<Account> rounds;

    static Stream<Arguments> mutants() {
        return MutantRounds.chosenOf(allMutants());
    }

    private static Stream<Arguments> allMutants() {
        return Stream.of(
                Arguments.of(Mutant.MUTEX_IGNORED, LimitCheck.MUTEX_HELD_ONCE),
                Arguments.of(Mutant.MUTEXES_OF_RUNNING_JOBS_NOT_READ, LimitCheck.MUTEX_HELD_ONCE),
                Arguments.of(Mutant.LIMIT_PER_INSTANCE, LimitCheck.CLUSTER_LIMIT_HELD),
                Arguments.of(Mutant.RATE_PER_INSTANCE, LimitCheck.RATE_NOT_EXCEEDED),
                Arguments.of(Mutant.KEY_RATE_PER_INSTANCE, LimitCheck.RATE_NOT_EXCEEDED),
                Arguments.of(Mutant.ONE_FAIR_KEY_FOR_ALL, LimitCheck.TENANTS_TAKE_TURNS));
    }

    /** Returns the mutants that this class tries. */
    static Set<Mutant> tried() {
        return MutantRounds.mutantsOf(allMutants());
    }

    @BeforeAll
    static void begin() {
        rounds = new MutantRounds<>(AT_ONCE, LimitsMutantTest::run);
        rounds.begin(Mutant.NONE);
        MutantRounds.mutantsOf(mutants()).forEach(rounds::begin);
    }

    @AfterAll
    static void close() {
        if (rounds != null) {
            rounds.close();
        }
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aMutant_isFoundOutByTheCheckForIt_andTheRealOneIsNot(Mutant mutant, LimitCheck check) {
        Account account =
                rounds.firstThat(found -> LimitCheck.violationsIn(found).containsKey(check), mutant);

        Map<LimitCheck, List<String>> violations = LimitCheck.violationsIn(account);
        System.out.printf("mutant %s: %s%n", mutant, new LimitFigures(account));
        violations.forEach(
                (name, found) -> System.out.printf("    %s: %d, such as %s%n", name, found.size(), found.get(0)));
        assertThat(violations).containsKey(check);
        assertThat(LimitCheck.violationsIn(rounds.first(Mutant.NONE))).isEmpty();
    }

    private static Account run(Rounds rounds, Mutant mutant, long seed) {
        return rounds.run(new Round.Setup(
                seed,
                Profile.LIMITS,
                mutant,
                3,
                420,
                4_000,
                Duration.ofMillis(1_500),
                Duration.ZERO,
                Duration.ofSeconds(20),
                PLAN));
    }
}
