package io.delayjob.benchmarks.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LongestPollTest {

    @ParameterizedTest
    @EnumSource
    void longestPoll_whereManyTimersAreDueCloseTogether_movesAndFiresFewOfThem(LongestPoll.Crowd crowd) {
        LongestPoll.Longest longest = LongestPoll.measure(crowd, 100_000, 1);

        assertThat(longest.moved()).isBetween(1L, 1_024L);
        assertThat(longest.fired()).isBetween(1, 1_024);
    }
}
