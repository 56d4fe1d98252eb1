package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the checks themselves, because a check that never fails proves nothing. For each broken rule of the protocol,
 * the intended check must fail. Without a broken rule, the same simulation must pass.
 */
class MutantsTest {

    /** Maximum number of seeds. Most broken rules matter in one of the first thirty. */
    private static final long LAST_SEED = 1_000;

    /** Seeds that show a mutant which few other seeds show. They are tried first. */
    private static final Map<Mutant, Long> RARE = Map.of(
            Mutant.EXPIRY_BY_EARLIEST_TIME, 377L,
            Mutant.RESCUE_BY_AN_OLD_REGISTER, 123L,
            Mutant.MUTEXES_OF_RUNNING_JOBS_NOT_READ, 53L,
            Mutant.LIMITED_JOBS_NOT_READ, 35L);

    /** Returns all mutants, or only the mutant that {@code -Dmutant} names. */
    static Stream<Mutant> mutants() {
        String only = System.getProperty("mutant");
        return only == null ? Stream.of(Mutant.values()) : Stream.of(Mutant.valueOf(only));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenRule_isNoticedByTheCheckForIt(Mutant mutant) {
        long seed = LongStream.concat(
                        LongStream.of(RARE.getOrDefault(mutant, 1L)), LongStream.rangeClosed(1, LAST_SEED))
                .filter(each -> isCaught(mutant, mutant.simulate(each)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("%s survives %d seeds.".formatted(mutant, LAST_SEED)));

        System.out.printf("mutant %s, seed %d, violates %s%n", mutant, seed, mutant.check);
        Simulation.Outcome unbroken = mutant.unbroken(seed);
        assertThat(unbroken.violation()).isNull();
    }

    private static boolean isCaught(Mutant mutant, Simulation.Outcome outcome) {
        return outcome.violation() != null && outcome.violation().check() == mutant.check;
    }
}
