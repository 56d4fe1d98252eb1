package io.delayjob.benchmarks.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongestPollTest {

    @Test
    void longestPoll_whereASlotHoldsManyTimers_movesFewOfThem() {
        assertThat(LongestPoll.measure(100_000, 1).moved()).isBetween(1L, 2_200L);
    }
}
