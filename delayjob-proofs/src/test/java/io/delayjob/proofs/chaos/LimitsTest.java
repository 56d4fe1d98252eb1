package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The short form of {@link LimitsRun}: mutexes, limits in the cluster and rates hold under a few faults. */
@Execution(ExecutionMode.CONCURRENT) // It has its own server, and mostly waits.
class LimitsTest {

    private static final long SEED = Long.getLong("delayjob.test.seed", 1);
    private static final int WORKERS = 3;

    private static final FaultPlan PLAN = new FaultPlan(List.of(
            step(500, FaultKind.HALT, 0, 700),
            step(1_500, FaultKind.KILL, 1, 0),
            step(3_000, FaultKind.PAUSE, 2, 2_300),
            step(5_500, FaultKind.TERMINATE, 0, 0),
            step(7_000, FaultKind.CUT, 0, 700),
            step(11_000, FaultKind.RESTART, 0, 300)));

    private static Step step(long afterMillis, FaultKind kind, int slot, long millis) {
        return new Step(Duration.ofMillis(afterMillis), kind, slot, Duration.ofMillis(millis), "");
    }

    @Test
    void underFaults_mutexesLimitsAndRatesHold_andAllJobsEnd() {
        Round.Setup setup = new Round.Setup(
                SEED,
                Profile.LIMITS,
                Mutant.NONE,
                WORKERS,
                250,
                1_500,
                Duration.ofMillis(1_500),
                Duration.ZERO,
                Duration.ofSeconds(30),
                PLAN);
        Account account;
        try (Rounds rounds = Rounds.open()) {
            account = Shown.by(setup, () -> rounds.run(setup)).account();
        }

        System.out.println(new LimitFigures(account));
        Map<LimitCheck, List<String>> violations = LimitCheck.violationsIn(account);
        assertThat(violations)
                .as("with -Ddelayjob.test.seed=%d: %s", SEED, violations)
                .isEmpty();
        assertThat(account.faults()).as("faults that took effect").allMatch(Fault::tookEffect);
    }
}
