package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The short form of the {@link LongRun}: one round of every fault, several times each, and one as it is in most
 * installations.
 */
@Execution(ExecutionMode.CONCURRENT) // each on a server of its own; most of their time is waiting
class ChaosTest {

    private static final int WORKERS = 4;

    /** Each kind of fault twice, and one restart of the server. */
    private static final int FAULTS = Integer.getInteger("delayjob.test.faults", 23);

    /** A machine that builds is not calm; what holds of calm ones is printed, and in the documentation. */
    private static final long SLACK_MILLIS = 5_000;

    private static final long RECOVERY_MILLIS = 3_000;
    private static final long FIRING_AGAIN_MILLIS = 2_000;

    private final long seed = Long.getLong("delayjob.test.seed", 1);

    @Test
    void underFaults_nothingIsLostAndNothingRunsThatShouldNot() {
        FaultPlan plan = FaultPlan.random(
                seed, FaultKind.ON_POSTGRESQL, FAULTS, Duration.ofMillis(450), WORKERS, Profile.FAST.liveness());

        Figures figures = run(setup(Profile.FAST, WORKERS, plan)).figures();

        assertThat(figures.faults())
                .as("faults that took effect")
                .containsOnlyKeys(FaultKind.ON_POSTGRESQL.toArray(FaultKind[]::new));
        assertThat(figures.faults().values().stream().mapToLong(Long::longValue).sum())
                .as("faults that took effect")
                .isGreaterThanOrEqualTo(FAULTS * 2 / 3);
        assertThat(figures.recovery().max()).isLessThan(RECOVERY_MILLIS + SLACK_MILLIS);
        assertThat(figures.firingAgain().max()).isLessThan(FIRING_AGAIN_MILLIS + SLACK_MILLIS);
    }

    /** Two processes share the partitions; one is replaced in good order, and then the other one is killed. */
    @Test
    void withDefaultSettings_aStopHandsOverAndWhatAKillLeftIsResumed() {
        FaultPlan plan = new FaultPlan(List.of(
                new Step(Duration.ZERO, FaultKind.TERMINATE, 1, Duration.ZERO, ""),
                new Step(Duration.ofSeconds(20), FaultKind.KILL, 0, Duration.ZERO, "")));

        Shown shown = run(setup(Profile.DEFAULTS, 2, plan));

        assertThat(shown.account()
                        .led("worker-1.1", shown.account().faults().get(0).beganNanos()))
                .as("partitions that the first of two leads, once both know of each other")
                .isEqualTo(4);
        assertThat(shown.figures().committed()).isGreaterThan(100);
        assertThat(shown.figures().cancelled()).isPositive();
        assertThat(shown.figures().repeated())
                .as("attempts that were repeated: those that the killed process was making, and no other")
                .isPositive()
                .isEqualTo(shown.figures().recovery().count());
        assertThat(shown.figures().recovery().max() - witnessLateMillis(shown.account()))
                .as("recovery since another process was there to see that this one is silent")
                .isLessThan(Profile.DEFAULTS.liveness().multipliedBy(2).toMillis());
    }

    /** On a busy machine, the process that takes the first one's place can start only after the kill. */
    private static long witnessLateMillis(Account account) {
        long killed = account.faults().get(1).beganNanos();
        long there = account.jobs().stream()
                .flatMap(job -> job.attempts.stream())
                .filter(attempt -> attempt.isOf("worker-2.3"))
                .mapToLong(Account.Attempt::startedNanos)
                .min()
                .orElseThrow();
        return Duration.ofNanos(Math.max(there - killed, 0)).toMillis();
    }

    private Round.Setup setup(Profile profile, int workers, FaultPlan plan) {
        return new Round.Setup(
                seed,
                profile,
                Mutant.NONE,
                workers,
                300,
                0,
                Duration.ofMillis(1_500),
                Duration.ZERO,
                Duration.ofSeconds(30),
                plan);
    }

    private static Shown run(Round.Setup setup) {
        try (Rounds rounds = Rounds.open()) {
            return Shown.by(setup, () -> rounds.run(setup));
        }
    }
}
