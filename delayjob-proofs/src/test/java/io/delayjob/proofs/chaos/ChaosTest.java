package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The short form of the {@link LongRun}: one round without faults, and one with all of them, several times each. */
class ChaosTest {

    private static final int WORKERS = 3;
    private static final int FAULTS = 30;

    /** A machine that builds is not calm; what holds of calm ones is printed, and in the documentation. */
    private static final long SLACK_MILLIS = 5_000;

    private static final long RECOVERY_MILLIS = 3_000;
    private static final long FIRING_AGAIN_MILLIS = 2_000;

    private static Rounds rounds;

    private final long seed = Long.getLong("delayjob.test.seed", 1);

    @BeforeAll
    static void open() {
        rounds = Rounds.open();
    }

    @AfterAll
    static void close() {
        if (rounds != null) {
            rounds.close();
        }
    }

    @Test
    void inCalm_everyJobRunsOnceAndNothingElseDoes() {
        Figures figures = run(Duration.ofSeconds(3), FaultPlan.NONE);

        assertThat(figures.committed()).isGreaterThan(500);
        assertThat(figures.cancelled()).isPositive();
        assertThat(figures.repeated()).isZero();
        assertThat(figures.fenced()).isZero();
    }

    @Test
    void underFaults_nothingIsLostAndNothingRunsThatShouldNot() {
        FaultPlan plan = FaultPlan.random(seed, FAULTS, Duration.ofMillis(750), WORKERS, Profile.FAST.liveness());

        Figures figures = run(Duration.ZERO, plan);

        assertThat(figures.faults()).as("faults that took effect").containsOnlyKeys(FaultKind.values());
        assertThat(figures.faults().values().stream().mapToLong(Long::longValue).sum())
                .as("faults that took effect")
                .isGreaterThanOrEqualTo(FAULTS * 2 / 3);
        assertThat(figures.recovery().max()).isLessThan(RECOVERY_MILLIS + SLACK_MILLIS);
        assertThat(figures.firingAgain().max()).isLessThan(FIRING_AGAIN_MILLIS + SLACK_MILLIS);
    }

    private Figures run(Duration calm, FaultPlan plan) {
        long began = System.nanoTime();
        Account account = rounds.run(new Round.Setup(
                seed,
                Profile.FAST,
                Mutant.NONE,
                WORKERS,
                300,
                0,
                Duration.ofMillis(1_500),
                calm,
                Duration.ofSeconds(30),
                plan));
        Map<Check, List<String>> violations = Check.violationsIn(account);
        Figures figures = Figures.of(account, began);
        System.out.println(Result.of(seed, Duration.ofNanos(System.nanoTime() - began), figures, violations));
        assertThat(violations)
                .as("with -Ddelayjob.test.seed=%d%n%s", seed, Rounds.told(violations))
                .isEmpty();
        return figures;
    }
}
