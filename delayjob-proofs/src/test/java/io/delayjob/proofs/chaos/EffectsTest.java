package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.EffectsRound.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The short form of the {@link EffectsRun}: under {@code kill -9} each atomic job has its effect once; where the effect
 * is committed apart from the end, the same kills show it twice. Both rounds run side by side, for most of their time
 * is waiting.
 */
@Execution(ExecutionMode.CONCURRENT) // It has its own server, and mostly waits.
class EffectsTest {

    private static final Mutant MUTANT = Mutant.EFFECT_APART_FROM_ITS_END;

    private static final int JOBS = 300;
    private static final int KILLS = 6;

    private final long seed = Long.getLong("delayjob.test.seed", 1);

    @Test
    void underKills_eachAtomicJobHasItsEffectOnce() {
        ExecutorService hands = Executors.newFixedThreadPool(2);
        try (Rounds rounds = Rounds.open()) {
            CompletableFuture<Outcome> mutant = CompletableFuture.supplyAsync(() -> rounds.run(setup(MUTANT)), hands);
            CompletableFuture<Outcome> real =
                    CompletableFuture.supplyAsync(() -> rounds.run(setup(Mutant.NONE)), hands);

            System.out.printf("real:   %s%nmutant: %s%n", real.join(), mutant.join());
            assertThat(real.join())
                    .as("with -Ddelayjob.test.seed=%d", seed)
                    .matches(Outcome::isExact, "each job has written its row once");
            assertThat(real.join().standing().repeated())
                    .as("attempts that a kill has cut off")
                    .isPositive();
            assertThat(mutant.join().standing().doubled())
                    .as("rows that came twice where nothing holds effect and end together")
                    .isPositive();
        } finally {
            hands.shutdownNow();
        }
    }

    private EffectsRound.Setup setup(Mutant mutant) {
        return new EffectsRound.Setup(seed, mutant, JOBS, 60, KILLS, 2, Duration.ofSeconds(30));
    }
}
