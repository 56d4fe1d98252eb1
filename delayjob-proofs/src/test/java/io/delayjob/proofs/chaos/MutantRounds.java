package io.delayjob.proofs.chaos;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Rounds with mutants. They run side by side, because most of their time is waiting. Processes race each other, so a
 * round may go well by luck. Then the next seed is tried.
 *
 * @param <A> the account of a round
 */
final class MutantRounds<A> implements AutoCloseable {

    /** Runs one round. */
    @FunctionalInterface
    interface Trial<A> {
        A run(Rounds rounds, Mutant mutant, long seed);
    }

    private static final long FIRST_SEED = 1;
    private static final long LAST_SEED = 6;

    private final Rounds rounds = Rounds.open();
    private final ExecutorService hands;
    private final Trial<A> trial;
    private final Map<Mutant, CompletableFuture<A>> first = new EnumMap<>(Mutant.class);

    /** @param atOnce maximum number of rounds at a time */
    MutantRounds(int atOnce, Trial<A> trial) {
        this.hands = Executors.newFixedThreadPool(atOnce);
        this.trial = trial;
    }

    /** Returns those arguments that begin with the mutant that {@code -Dmutant} names; all without that option. */
    static Stream<Arguments> chosenOf(Stream<Arguments> all) {
        String only = System.getProperty("mutant");
        return all.filter(arguments -> only == null || mutantOf(arguments) == Mutant.valueOf(only));
    }

    /** Returns the mutants with which these arguments begin. */
    static Set<Mutant> mutantsOf(Stream<Arguments> all) {
        return all.map(MutantRounds::mutantOf).collect(Collectors.toUnmodifiableSet());
    }

    private static Mutant mutantOf(Arguments arguments) {
        return (Mutant) arguments.get()[0];
    }

    /** Begins the first round of this mutant. */
    void begin(Mutant mutant) {
        first.put(mutant, begin(mutant, FIRST_SEED));
    }

    private CompletableFuture<A> begin(Mutant mutant, long seed) {
        return CompletableFuture.supplyAsync(() -> trial.run(rounds, mutant, seed), hands);
    }

    /** Returns the account of the first round. */
    A first(Mutant mutant) {
        return first.get(mutant).join();
    }

    /** Returns the account of the first round in which the mutant is found out, or of the last round. */
    A firstThat(Predicate<A> isFoundOut, Mutant mutant) {
        A account = first(mutant);
        for (long seed = FIRST_SEED + 1; !isFoundOut.test(account) && seed <= LAST_SEED; seed++) {
            account = begin(mutant, seed).join();
        }
        return account;
    }

    @Override
    public void close() {
        hands.shutdownNow();
        rounds.close();
    }
}
