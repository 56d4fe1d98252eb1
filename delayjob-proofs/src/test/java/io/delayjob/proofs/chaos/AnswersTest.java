package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The short form of {@link AnswersRun}: under {@code kill -9} of callers and answerers, each run of an awaiting job is
 * accepted once.
 */
@Execution(ExecutionMode.CONCURRENT) // It has its own server, and mostly waits.
class AnswersTest {

    private static final long SEED = Long.getLong("delayjob.test.seed", 1);

    @Test
    void underKillsOfCallersAndAnswerers_eachRunIsAcceptedOnce() {
        AnswersAccount account;
        try (Rounds rounds = Rounds.open()) {
            account = rounds.run(new AnswersRound.Setup(SEED, Mutant.NONE, 300, 30, 4, 2, Duration.ofSeconds(30)));
        }

        System.out.println(account);
        assertThat(AnswerCheck.violationsIn(account))
                .as("with -Ddelayjob.test.seed=%d: %s", SEED, account)
                .isEmpty();
        assertThat(account.count(JobState.FINISHED)).isPositive();
        assertThat(account.count(JobState.CANCELLED)).isPositive();
    }
}
