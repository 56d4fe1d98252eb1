package io.delayjob.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void turn_amongAThousandIdleCompetitors_looksAtThoseThatWaitOnly() {
        Turns<Integer> turns = new Turns<>();
        Map<Integer, Turns.Turn<Integer>> all = IntStream.range(0, 1_000)
                .boxed()
                .collect(Collectors.toMap(competitor -> competitor, competitor -> turns.add(competitor, 10)));
        turns.setWaiting(all.get(7), true);
        turns.setWaiting(all.get(500), true);
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
        turns.setWaiting(all.get(7), false);
        turns.setWaiting(all.get(500), false);
        assertThat(turns.<Integer>next(whose -> whose)).isNull();
    }

    /** A row that a lane drops may let another row of the same lane in. */
    @Test
    void competitor_thatStopsWaitingAndWaitsAgainWithoutAResult_leavesTheTurnToTheNext() {
        Turns<String> turns = new Turns<>();
        Turns.Turn<String> first = turns.add("first", 10);
        turns.setWaiting(first, true);
        turns.setWaiting(turns.add("second", 10), true);

        String served = turns.next(whose -> {
            if (whose.equals("first")) {
                turns.setWaiting(first, false);
                turns.setWaiting(first, true);
                return null;
            }
            return whose;
        });

        assertThat(served).isEqualTo("second");
    }

    @Test
    void competitor_thatWasIdleWhileOthersWereServed_gainsNoMoreThanItsTurn() {
        Turns<String> turns = new Turns<>();
        turns.setWaiting(turns.add("always", 10), true);
        Turns.Turn<String> seldom = turns.add("seldom", 10);
        for (int i = 0; i < 50; i++) {
            turns.next(whose -> whose);
        }

        turns.setWaiting(seldom, true);
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            served.add(turns.next(whose -> whose));
        }

        assertThat(served).startsWith("seldom");
        assertThat(Collections.frequency(served, "seldom")).isEqualTo(2);
    }
}
