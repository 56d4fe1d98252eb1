package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.proofs.chaos.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A replica takes over, twice, while processes schedule and run jobs. One of them is killed in between. Both rounds run
 * side by side, because most of their time is waiting.
 */
@Tag("full")
@Isolated("a replica has only a fraction of a second to confirm a write")
class RedisFailoverChaosTest {

    private static final int WORKERS = 2;

    /**
     * Time for which a round that may lose jobs waits for them. The other round waits longer, because it should lose
     * none.
     */
    private static final Duration PATIENCE_WITH_LOSSES = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final FaultPlan PLAN = new FaultPlan(List.of(
            step(1_000, FaultKind.FAILOVER, 700),
            step(7_000, FaultKind.KILL, 0),
            step(14_000, FaultKind.FAILOVER, 400)));

    private static ExecutorService hands;
    private static RedisRoundServer careless;
    private static RedisRoundServer careful;
    private static CompletableFuture<Account> withoutWaiting;
    private static CompletableFuture<Account> waiting;

    private static Step step(long afterMillis, FaultKind kind, long millis) {
        return new Step(Duration.ofMillis(afterMillis), kind, 0, Duration.ofMillis(millis), "");
    }

    @BeforeAll
    static void begin() {
        hands = Executors.newFixedThreadPool(2);
        careless = RedisRoundServer.startReplicated(0);
        careful = RedisRoundServer.startReplicated(1);
        withoutWaiting = begin(careless, 1_000, PATIENCE_WITH_LOSSES);
        waiting = begin(careful, 1_001, PATIENCE);
    }

    private static CompletableFuture<Account> begin(RedisRoundServer server, long seed, Duration patience) {
        Round.Setup setup = new Round.Setup(
                seed,
                Profile.FAST,
                Mutant.NONE,
                WORKERS,
                200,
                0,
                Duration.ofMillis(1_500),
                Duration.ofSeconds(1),
                patience,
                PLAN);
        return CompletableFuture.supplyAsync(() -> Rounds.run(server, setup), hands);
    }

    @AfterAll
    static void close() {
        hands.shutdownNow();
        if (careful != null) {
            careful.close();
        }
        if (careless != null) {
            careless.close();
        }
    }

    @Test
    void failover_losesJobsOfItsLastMoments_andNothingElseIsViolated() {
        Account account = withoutWaiting.join();

        StoreLosses losses = StoreLosses.of(account);

        System.out.printf("%s, of %d jobs%n", losses, account.jobs().size());
        assertThat(losses.violations()).as(Rounds.told(losses.violations())).isEmpty();
        assertThat(losses.lost()).as("lost jobs").isNotEmpty();
        assertThat(losses.atStake()).hasSizeLessThan(account.jobs().size());
    }

    @Test
    void failover_ofAStoreThatWaitsForItsReplica_losesNothing() {
        Account account = waiting.join();

        Map<Check, List<String>> violations = Check.violationsIn(account);

        System.out.printf(
                "waiting for a replica: %s, of %d jobs%n",
                StoreLosses.of(account), account.jobs().size());
        assertThat(violations).as(Rounds.told(violations)).isEmpty();
        assertThat(account.jobs().stream().filter(account::exists).count()).isGreaterThan(500);
    }
}
