package io.delayjob.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DueCountsTest {

    private static boolean hasCountedNames(Precision precision, int lookedAt) {
        return new DueCounts(
                        List.of(3L, 4L), List.of(Precision.EXACT, precision), Map.of("mail", List.of(3L, 4L)), lookedAt)
                .hasCountedNames();
    }

    @Test
    void names_ofRowsThatWereReadOnce_areCounted() {
        assertThat(hasCountedNames(Precision.EXACT, 7)).isTrue();
    }

    @Test
    void names_ofRowsThatWereCountedAgain_areSampled() {
        assertThat(hasCountedNames(Precision.EXACT, 8)).isFalse();
    }

    @Test
    void names_ofAnEstimate_areSampled() {
        assertThat(hasCountedNames(Precision.ABOUT, 7)).isFalse();
        assertThat(hasCountedNames(Precision.AT_LEAST, 7)).isFalse();
    }
}
