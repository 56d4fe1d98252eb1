package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A short round on a Redis that keeps what it has acknowledged. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class RedisChaosTest {

    private static final int WORKERS = 3;

    /** Each kind of fault twice, and one restart of the server. */
    private static final int FAULTS = Integer.getInteger("delayjob.test.faults", 23);

    /** A machine that runs a build is busy. */
    private static final long SLACK_MILLIS = 5_000;

    private static final long FIRING_AGAIN_MILLIS = 2_000;

    private final long seed = Long.getLong("delayjob.test.seed", 1);

    @Test
    void underFaults_nothingIsLostAndNothingRunsThatShouldNot() {
        FaultPlan plan = FaultPlan.random(
                seed, FaultKind.ON_REDIS, FAULTS, Duration.ofMillis(500), WORKERS, Profile.FAST.liveness());
        Round.Setup setup = new Round.Setup(
                seed,
                Profile.FAST,
                Mutant.NONE,
                WORKERS,
                300,
                0,
                Duration.ofMillis(1_500),
                Duration.ZERO,
                Duration.ofSeconds(30),
                plan);

        Figures figures;
        try (RedisRoundServer server = RedisRoundServer.start()) {
            figures = Shown.by(setup, () -> Rounds.run(server, setup)).figures();
        }

        assertThat(figures.faults())
                .as("faults that took effect")
                .containsOnlyKeys(FaultKind.ON_REDIS.toArray(FaultKind[]::new));
        assertThat(figures.committed()).isGreaterThan(1_000);
        assertThat(figures.cancelled()).isPositive();
        assertThat(figures.firingAgain().max()).isLessThan(FIRING_AGAIN_MILLIS + SLACK_MILLIS);
    }
}
