package io.delayjob.test;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void calmCluster_runsEachJobOnceAndOnTime(long seed) {
        new Simulation(seed, true).run();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void troubledCluster_losesNothingAndStartsNothingTwice(long seed) {
        new Simulation(seed, false).run();
    }
}
