package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A replica takes over, twice, while processes schedule and run jobs. One of them is killed in between. */
@Isolated("a replica has only a fraction of a second to confirm a write")
class RedisFailoverChaosTest {

    private static final int WORKERS = 2;

    private static final FaultPlan PLAN = new FaultPlan(List.of(
            step(1_000, FaultKind.FAILOVER, 700),
            step(7_000, FaultKind.KILL, 0),
            step(14_000, FaultKind.FAILOVER, 400)));

    private static Step step(long afterMillis, FaultKind kind, long millis) {
        return new Step(Duration.ofMillis(afterMillis), kind, 0, Duration.ofMillis(millis), "");
    }

    private static Account run(int waitReplicas) {
        Round.Setup setup = new Round.Setup(
                waitReplicas + 1_000,
                Profile.FAST,
                Mutant.NONE,
                WORKERS,
                200,
                0,
                Duration.ofMillis(1_500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                PLAN);
        try (RedisRoundServer server = RedisRoundServer.startReplicated(waitReplicas)) {
            return Rounds.run(server, setup);
        }
    }

    @Test
    void failover_losesJobsOfItsLastMoments_andNothingElseIsViolated() {
        Account account = run(0);

        StoreLosses losses = StoreLosses.of(account);

        System.out.printf("%s, of %d jobs%n", losses, account.jobs().size());
        assertThat(losses.violations()).as(Rounds.told(losses.violations())).isEmpty();
        assertThat(losses.lost()).as("lost jobs").isNotEmpty();
        assertThat(losses.atStake()).hasSizeLessThan(account.jobs().size());
    }

    @Test
    void failover_ofAStoreThatWaitsForItsReplica_losesNothing() {
        Account account = run(1);

        Map<Check, List<String>> violations = Check.violationsIn(account);

        System.out.printf(
                "waiting for a replica: %s, of %d jobs%n",
                StoreLosses.of(account), account.jobs().size());
        assertThat(violations).as(Rounds.told(violations)).isEmpty();
        assertThat(account.jobs().stream().filter(account::exists).count()).isGreaterThan(500);
    }
}
