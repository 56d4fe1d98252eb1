package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final Duration LIVENESS = Duration.ofMillis(1_500);

    private static FaultPlan plan(long seed) {
        return FaultPlan.random(seed, FaultKind.ON_POSTGRESQL, 46, Duration.ofSeconds(1), 3, LIVENESS);
    }

    @Test
    void aSeed_isAPlan() {
        assertThat(plan(1)).isEqualTo(plan(1)).isNotEqualTo(plan(2));
    }

    @Test
    void everyKind_comesAgainAndAgain() {
        List<FaultKind> kinds =
                plan(3).steps().stream().map(FaultPlan.Step::kind).toList();

        assertThat(FaultKind.ON_POSTGRESQL)
                .allSatisfy(
                        kind -> assertThat(Collections.frequency(kinds, kind)).isGreaterThanOrEqualTo(2));
    }

    @Test
    void faults_lastClearlyLongerThanLivenessOrClearlyShorter() {
        assertThat(plan(4).steps())
                .extracting(FaultPlan.Step::length)
                .allSatisfy(length -> assertThat(
                                length.compareTo(LIVENESS.multipliedBy(4).dividedBy(3)) >= 0
                                        || length.compareTo(LIVENESS.dividedBy(2)) <= 0)
                        .isTrue());
    }

    @Test
    void halts_areShort() {
        FaultPlan halts = FaultPlan.random(6, Set.of(FaultKind.HALT), 20, Duration.ofSeconds(1), 3, LIVENESS);

        assertThat(halts.steps())
                .extracting(FaultPlan.Step::length)
                .allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(LIVENESS.dividedBy(2)));
    }

    @Test
    void everySlot_isHit() {
        Set<Integer> slots = plan(5).steps().stream().map(FaultPlan.Step::slot).collect(Collectors.toSet());

        assertThat(slots).containsExactlyInAnyOrder(0, 1, 2);
    }
}
