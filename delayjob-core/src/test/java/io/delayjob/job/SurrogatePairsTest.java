package io.delayjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SurrogatePairsTest {

    @Test
    void half_isASurrogateWithoutItsOtherHalfBesideIt() {
        assertThat(halves("plain")).isEmpty();
        assertThat(halves("a\uD83D\uDE00b")).isEmpty();
        assertThat(halves("\uD83D")).containsExactly(0);
        assertThat(halves("\uDE00")).containsExactly(0);
        assertThat(halves("a\uD83D")).containsExactly(1);
        assertThat(halves("\uDE00\uD83D")).containsExactly(0, 1);
        assertThat(halves("\uD83D\uD83D\uDE00\uDE00")).containsExactly(0, 3);
    }

    @Test
    void onlyACutBetweenBothHalves_splitsAPair() {
        String text = "a\uD83D\uDE00b";
        assertThat(IntStream.rangeClosed(0, text.length()).filter(i -> SurrogatePairs.isSplitAt(text, i)))
                .containsExactly(2);
    }

    private static List<Integer> halves(String text) {
        return IntStream.range(0, text.length())
                .filter(i -> SurrogatePairs.isHalf(text, i))
                .boxed()
                .toList();
    }
}
