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
                    Simulation.Outcome outcome = Simulation.of(ClusterKind.TROUBLED, seed);
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
        run("troubledCluster_holdsEachMutexOnce", 150, ClusterKind.MUTEXES);
    }

    @Test
    void troubledCluster_holdsTheLimitOfAHandler() {
        run("troubledCluster_holdsTheLimitOfAHandler", 150, ClusterKind.LIMIT);
    }

    @Test
    void troubledCluster_holdsTheRateOfAHandler() {
        run("troubledCluster_holdsTheRateOfAHandler", 40, ClusterKind.RATE);
    }

    @Test
    void troubledCluster_holdsTheRateOfEachKey() {
        run("troubledCluster_holdsTheRateOfEachKey", 150, ClusterKind.KEY_RATE);
    }

    @Test
    void troubledCluster_letsTenantsTakeTurns() {
        run("troubledCluster_letsTenantsTakeTurns", 40, ClusterKind.TURNS);
    }

    @Test
    void troubledCluster_startsNothingAfterItsExpiry() {
        run("troubledCluster_startsNothingAfterItsExpiry", 150, ClusterKind.EXPIRY);
    }

    @Test
    void troubledCluster_keepsEndedJobsForTheirTime() {
        run("troubledCluster_keepsEndedJobsForTheirTime", 40, ClusterKind.KEEPING);
    }

    private static void run(String test, long seeds, ClusterKind kind) {
        new Seeds(test, seeds, seed -> Simulation.of(kind, seed)).run();
    }

    /** Seeds that have found a fault and are not among the usual seeds of the build. */
    @ParameterizedTest
    @ValueSource(longs = {5_004_141, 5_011_063, 5_060_387})
    void seedThatOnceBrokeAPromiseKeepsThemAll(long seed) {
        Simulation.Outcome outcome = Simulation.of(ClusterKind.TROUBLED, seed);
        assertThat(outcome.violation()).as(outcome.story()).isNull();
    }

    /** In this seed, a mutex becomes free while its leader does not trust its lease, after a sleep of the machine. */
    @Test
    void seedThatOnceLeftAJobWaitingForItsMutexEndsAllJobs() {
        Simulation.Outcome outcome = Simulation.of(ClusterKind.MUTEXES, 1_944);
        assertThat(outcome.violation()).as(outcome.story()).isNull();
    }

    @Test
    void calmClusterRunsEachJobOnceAndOnTime() {
        new Seeds("calmClusterRunsEachJobOnceAndOnTime", 200, seed -> {
                    Simulation.Outcome outcome = Simulation.of(ClusterKind.CALM, seed);
                    assertThat(outcome.duplicates() + outcome.fenced()).isZero();
                    return outcome;
                })
                .run();
    }

    @Test
    void sameSeedTakesTheSameCourse() {
        new Seeds("sameSeedTakesTheSameCourse", 100, seed -> {
                    Simulation.Outcome outcome = Simulation.of(ClusterKind.TROUBLED, seed);
                    assertThat(Simulation.of(ClusterKind.TROUBLED, seed).digest())
                            .isEqualTo(outcome.digest());
                    return outcome;
                })
                .run();
    }
}
