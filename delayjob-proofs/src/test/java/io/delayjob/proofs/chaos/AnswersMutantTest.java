package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Engines that break a rule of answers are found out, by the check for it. {@link AnswersTest} shows that the real engine
 * passes. Rounds run side by side, because most of their time is waiting.
 */
@Tag("full")
@Isolated("seven processes are enough")
class AnswersMutantTest {

    private static final int AT_ONCE = 3;
    private static final int FIRST_SEED = 1;
    private static final int LAST_SEED = 6;

    private static final Map<Mutant, CompletableFuture<AnswersAccount>> ROUNDS = new EnumMap<>(Mutant.class);

    private static ExecutorService hands;
    private static Rounds rounds;

    /** Returns all trials, or the one of the mutant that {@code -Dmutant} names. */
    static Stream<Arguments> mutants() {
        String only = System.getProperty("mutant");
        return allMutants().filter(trial -> only == null || trial.get()[0] == Mutant.valueOf(only));
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
        return allMutants().map(trial -> (Mutant) trial.get()[0]).collect(Collectors.toUnmodifiableSet());
    }

    @BeforeAll
    static void begin() {
        rounds = Rounds.open();
        hands = Executors.newFixedThreadPool(AT_ONCE);
        mutants()
                .map(trial -> (Mutant) trial.get()[0])
                .forEach(mutant -> ROUNDS.put(mutant, begin(mutant, FIRST_SEED)));
    }

    @AfterAll
    static void close() {
        if (rounds != null) {
            hands.shutdownNow();
            rounds.close();
        }
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aMutant_isFoundOutByTheCheckForIt(Mutant mutant, String check) {
        AnswersAccount account = ROUNDS.get(mutant).join();
        // Processes race each other, so one round may go well by luck.
        for (int seed = FIRST_SEED + 1;
                !AnswerCheck.violationsIn(account).containsKey(check) && seed <= LAST_SEED;
                seed++) {
            account = begin(mutant, seed).join();
        }

        Map<String, List<String>> violations = AnswerCheck.violationsIn(account);
        System.out.printf("mutant %s: %s%n", mutant, account);
        violations.forEach(
                (name, found) -> System.out.printf("    %s: %d, such as %s%n", name, found.size(), found.get(0)));
        assertThat(violations).containsKey(check);
    }

    private static CompletableFuture<AnswersAccount> begin(Mutant mutant, long seed) {
        AnswersRound.Setup setup = new AnswersRound.Setup(seed, mutant, 200, 30, 0, 1, Duration.ofSeconds(6));
        return CompletableFuture.supplyAsync(() -> rounds.run(setup), hands);
    }
}
