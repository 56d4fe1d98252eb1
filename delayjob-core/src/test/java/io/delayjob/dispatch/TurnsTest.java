package io.delayjob.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void whoeverHasBeenServedForYears_goesOnSharingByPriority() {
        Turns<String> turns = new Turns<>(Long.MAX_VALUE - (1L << 33));
        turns.add("low", 1);
        turns.add("high", 3);
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
}
