package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs many simulations, each from one seed. {@code -Dsimulation.seeds=1000000} runs more of them, and {@code
 * -Dsimulation.from=1000001} runs others.
 */
class SimulationTest {

    private static final int INSTANCES = 3;

    @Test
    void troubledClusterKeepsItsPromises() {
        new Seeds("troubledClusterKeepsItsPromises", 400, seed -> {
                    Simulation.Outcome outcome = Simulation.troubled(seed);
                    if (outcome.violation() == null) {
                        assertThat(outcome.instances()).isGreaterThanOrEqualTo(INSTANCES);
                        assertThat(outcome.jobs()).isGreaterThanOrEqualTo(Simulation.MIN_JOBS);
                        assertThat(outcome.faultsFelt()).isGreaterThanOrEqualTo(Simulation.MIN_FAULTS);
                    }
                    return outcome;
                })
                .run();
    }

    @Test
    void troubledCluster_holdsEachMutexOnce() {
        new Seeds("troubledCluster_holdsEachMutexOnce", 150, seed -> Simulation.withMutexes(seed, Mutation.NONE)).run();
    }

    @Test
    void troubledCluster_holdsTheLimitOfAHandler() {
        new Seeds("troubledCluster_holdsTheLimitOfAHandler", 150, seed -> Simulation.withLimit(seed, Mutation.NONE))
                .run();
    }

    @Test
    void troubledCluster_holdsTheRateOfEachKey() {
        new Seeds("troubledCluster_holdsTheRateOfEachKey", 150, seed -> Simulation.withRate(seed, Mutation.NONE)).run();
    }

    @Test
    void troubledCluster_startsNothingAfterItsExpiry() {
        new Seeds(
                        "troubledCluster_startsNothingAfterItsExpiry",
                        150,
                        seed -> Simulation.withExpiry(seed, Mutation.NONE))
                .run();
    }

    /** Seeds that have found a fault and are not among the usual seeds of the build. */
    @ParameterizedTest
    @ValueSource(longs = {5_004_141, 5_011_063, 5_060_387})
    void seedThatOnceBrokeAPromiseKeepsThemAll(long seed) {
        Simulation.Outcome outcome = Simulation.troubled(seed);
        assertThat(outcome.violation()).as(outcome.story()).isNull();
    }

    /** In this seed, the only instance with a free slot has joined while the store's replies were slow. */
    @Test
    void seedThatOnceStartedAnExpiredJobStartsNone() {
        Simulation.Outcome outcome = Simulation.withExpiry(8_104, Mutation.NONE);
        assertThat(outcome.violation()).as(outcome.story()).isNull();
    }

    @Test
    void calmClusterRunsEachJobOnceAndOnTime() {
        new Seeds("calmClusterRunsEachJobOnceAndOnTime", 200, seed -> {
                    Simulation.Outcome outcome = Simulation.calm(seed);
                    assertThat(outcome.duplicates() + outcome.fenced()).isZero();
                    return outcome;
                })
                .run();
    }

    @Test
    void sameSeedTakesTheSameCourse() {
        new Seeds("sameSeedTakesTheSameCourse", 100, seed -> {
                    Simulation.Outcome outcome = Simulation.troubled(seed);
                    assertThat(Simulation.troubled(seed).digest()).isEqualTo(outcome.digest());
                    return outcome;
                })
                .run();
    }
}
