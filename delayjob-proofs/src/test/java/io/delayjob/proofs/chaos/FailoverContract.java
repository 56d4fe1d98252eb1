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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Replicas of Redis take over while processes schedule and run jobs. One of the processes is killed in between. A round
 * without {@code wait-replicas} and a round with it run side by side, because most of their time is waiting.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FailoverContract {

    private static final int WORKERS = 2;

    /**
     * Time for which a round that may lose jobs waits for them. The other round waits longer, because it should lose
     * none.
     */
    private static final Duration PATIENCE_WITH_LOSSES = Duration.ofSeconds(20);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ExecutorService hands = Executors.newFixedThreadPool(2);
    private RoundServer careless;
    private RoundServer careful;
    private CompletableFuture<Account> withoutWaiting;
    private CompletableFuture<Account> waiting;

    /** Starts servers with replicas, of which so many must confirm each write. */
    abstract RoundServer start(int waitReplicas);

    /** Returns the faults of both rounds. */
    abstract FaultPlan plan();

    static Step step(long afterMillis, FaultKind kind, long millis) {
        return new Step(Duration.ofMillis(afterMillis), kind, 0, Duration.ofMillis(millis), "");
    }

    @BeforeAll
    void begin() {
        careless = start(0);
        careful = start(1);
        withoutWaiting = begin(careless, 1_000, PATIENCE_WITH_LOSSES);
        waiting = begin(careful, 1_001, PATIENCE);
    }

    private CompletableFuture<Account> begin(RoundServer server, long seed, Duration patience) {
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
                plan());
        return CompletableFuture.supplyAsync(() -> Rounds.run(server, setup), hands);
    }

    @AfterAll
    void close() {
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
        assertAllFaultsTookEffect(account);
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
        assertAllFaultsTookEffect(account);
    }

    private void assertAllFaultsTookEffect(Account account) {
        assertThat(account.faults()).hasSameSizeAs(plan().steps()).allMatch(Fault::tookEffect);
    }
}
