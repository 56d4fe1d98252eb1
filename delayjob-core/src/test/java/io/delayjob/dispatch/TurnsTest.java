package io.delayjob.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void whoeverHasBeenServedForYears_goesOnSharingByPriority() {
        Turns<String> turns = new Turns<>(whose -> false, Long.MAX_VALUE - (1L << 33));
        turns.add("low", 1);
        turns.add("high", 3);
        turns.join("low");
        turns.join("high");
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            served.add(turns.next(whose -> whose));
        }
        for (int from = 0; from < 4_000; from += 400) {
            assertThat(Collections.frequency(served.subList(from, from + 400), "high"))
                    .as("of the 400 from %d on", from)
                    .isBetween(295, 305);
        }
    }

    @Test
    void turn_amongAThousandIdleCompetitors_looksAtThoseWhoHaveSomethingOnly() {
        Set<Integer> busy = new HashSet<>(Set.of(7, 500));
        Turns<Integer> turns = new Turns<>(whose -> !busy.contains(whose));
        for (int competitor = 0; competitor < 1_000; competitor++) {
            turns.add(competitor, 10);
        }
        busy.forEach(turns::join);
        List<Integer> looks = new ArrayList<>();
        List<Integer> served = new ArrayList<>();

        for (int i = 0; i < 100; i++) {
            served.add(turns.next(whose -> {
                looks.add(whose);
                return whose;
            }));
        }

        assertThat(looks).hasSize(100);
        assertThat(Collections.frequency(served, 7)).isEqualTo(50);
        busy.clear();
        assertThat(turns.<Integer>next(whose -> whose)).isNull();
        assertThat(turns.isEmpty()).isTrue();
    }

    @Test
    void competitor_whoWasIdleWhileOthersWereServed_isNextAndThenTakesTurns() {
        Set<String> busy = new HashSet<>(Set.of("always"));
        Turns<String> turns = new Turns<>(whose -> !busy.contains(whose));
        turns.add("always", 10);
        turns.add("seldom", 10);
        turns.join("always");
        for (int i = 0; i < 50; i++) {
            turns.next(whose -> whose);
        }

        busy.add("seldom");
        turns.join("seldom");
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            served.add(turns.next(whose -> whose));
        }

        assertThat(served).startsWith("seldom");
        assertThat(Collections.frequency(served, "seldom")).isEqualTo(2);
    }
}
