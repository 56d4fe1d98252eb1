package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Engines that break a rule of answers are found out, by the check for it. {@link AnswersTest} shows that the real
 * engine passes. Rounds run side by side, because most of their time is waiting.
 */
@Tag("full")
@Isolated("seven processes are enough")
class AnswersMutantTest {

    private static final int AT_ONCE = 3;

    private static MutantRounds<AnswersAccount> rounds;

    static Stream<Arguments> mutants() {
        return MutantRounds.chosenOf(allMutants());
    }

    private static Stream<Arguments> allMutants() {
        return Stream.of(
                Arguments.of(Mutant.ANSWER_IGNORES_THE_RUN, "EACH_RUN_ACCEPTED_ONCE"),
                Arguments.of(Mutant.ANSWER_APART_FROM_ITS_TRANSACTION, "EACH_RUN_ACCEPTED_ONCE"),
                Arguments.of(Mutant.NO_DEADLINE, "NOTHING_LOST"),
                Arguments.of(Mutant.CANCELLED_LIKE_ANSWERED, "CANCELLED_JOBS_ARE_TOLD"));
    }

    /** Returns the mutants that this class tries. */
    static Set<Mutant> tried() {
        return MutantRounds.mutantsOf(allMutants());
    }

    @BeforeAll
    static void begin() {
        rounds = new MutantRounds<>(AT_ONCE, AnswersMutantTest::run);
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
    void aMutant_isFoundOutByTheCheckForIt(Mutant mutant, String check) {
        AnswersAccount account =
                rounds.firstThat(found -> AnswerCheck.violationsIn(found).containsKey(check), mutant);

        Map<String, List<String>> violations = AnswerCheck.violationsIn(account);
        System.out.printf("mutant %s: %s%n", mutant, account);
        violations.forEach(
                (name, found) -> System.out.printf("    %s: %d, such as %s%n", name, found.size(), found.get(0)));
        assertThat(violations).containsKey(check);
    }

    private static AnswersAccount run(Rounds rounds, Mutant mutant, long seed) {
        return rounds.run(new AnswersRound.Setup(seed, mutant, 200, 30, 0, 1, Duration.ofSeconds(6)));
    }
}
