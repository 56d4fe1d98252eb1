package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobState;
import org.junit.jupiter.api.Test;

/** A failover excuses what the store may lose, and nothing else. */
class StoreLossesTest {

    private static final long BEGAN = 2_000;
    private static final long ENDED = 3_000;

    private static StoreLosses of(Story story) {
        return StoreLosses.of(story.fault(FaultKind.FAILOVER, "", BEGAN, ENDED).account());
    }

    @Test
    void jobThatWasAcknowledgedDuringTheFailover_mayBeLost_andIsCounted() {
        StoreLosses losses = of(new Story().scheduledAlone(1, Kind.NOTE, BEGAN + 1));

        assertThat(losses.lost()).hasSize(1);
        assertThat(losses.violations()).isEmpty();
    }

    /** The replica has received it before the fault separates the replica, however late the job is due. */
    @Test
    void jobThatWasAcknowledgedBeforeTheFailover_mustNotBeLost() {
        StoreLosses losses = of(new Story().scheduledAlone(1, Kind.NOTE, BEGAN - 1));

        assertThat(losses.lost()).isEmpty();
        assertThat(losses.violations()).containsOnlyKeys(Check.NOTHING_LOST);
    }

    @Test
    void jobThatWasScheduledLongAfterTheFailover_mustNotBeLost() {
        StoreLosses losses = of(new Story().scheduledAlone(1, Kind.NOTE, ENDED + 3_001));

        assertThat(losses.lost()).isEmpty();
        assertThat(losses.violations()).containsOnlyKeys(Check.NOTHING_LOST);
    }

    @Test
    void attemptWhoseClaimWasLost_mayStartTwice_andTheJobIsNotLost() {
        StoreLosses losses = of(new Story()
                .scheduledAlone(1, Kind.NOTE, 1)
                .row(1, JobState.FINISHED)
                .starts("a", 1, 1, 1, BEGAN + 500)
                .starts("b", 1, 1, 1, ENDED + 500)
                .completes("b", 1, 1, 1, ENDED + 501));

        assertThat(losses.atStake()).hasSize(1);
        assertThat(losses.lost()).isEmpty();
        assertThat(losses.violations()).isEmpty();
    }

    @Test
    void attemptThatStartsTwiceWithoutAFailover_isAViolation() {
        StoreLosses losses = of(new Story()
                .scheduledAlone(1, Kind.NOTE, 1)
                .row(1, JobState.FINISHED)
                .starts("a", 1, 1, 1, 10)
                .starts("b", 1, 1, 1, 20)
                .completes("b", 1, 1, 1, 21));

        assertThat(losses.violations()).containsKey(Check.NO_ATTEMPT_TWICE);
    }
}
