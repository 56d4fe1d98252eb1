package io.delayjob.internal.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.internal.lead.ForeignHolders.Share;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignHoldersTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Share LONE = new Share(8, 1);

    private final ForeignHolders holders = new ForeignHolders(LEASE);

    private boolean look(Share share, int led, int second) {
        return holders.look("a", share, led, Duration.ofSeconds(second).toNanos());
    }

    @Test
    void loneInstanceThatIsRefusedForEightLeases_warnsOnce() {
        for (int second = 0; second < 80; second++) {
            assertThat(look(LONE, 0, second)).isFalse();
        }
        assertThat(look(LONE, 0, 80)).isTrue();
        assertThat(look(LONE, 0, 90)).isFalse();
    }

    @Test
    void loneInstanceThatLeadsSomePartitionsOnly_warnsAsWell() {
        look(LONE, 7, 0);
        assertThat(look(LONE, 7, 80)).isTrue();
    }

    @Test
    void instanceThatGetsItsShareAndLosesItAgain_warnsAnew() {
        look(LONE, 0, 0);
        assertThat(look(LONE, 0, 80)).isTrue();
        look(LONE, 8, 81);
        assertThat(look(LONE, 0, 90)).isFalse();
        assertThat(look(LONE, 0, 169)).isFalse();
        assertThat(look(LONE, 0, 170)).isTrue();
    }

    @Test
    void queueThatVanishes_isForgotten_andBeginsAnewWhenItComesBack() {
        look(LONE, 0, 0);
        assertThat(look(LONE, 0, 80)).isTrue();
        holders.retain(Set.of("b"));

        assertThat(look(LONE, 0, 100)).isFalse();
        assertThat(look(LONE, 0, 179)).isFalse();
        assertThat(look(LONE, 0, 180)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"8, 1, 8", "8, 2, 4", "8, 3, 2", "8, 5, 0", "1, 2, 0", "8, 0, 0"})
    void instanceWarns_whenItLeadsLessThanTheSharesOfTheOthersLeave(int partitions, int sharers, int left) {
        Share share = new Share(partitions, sharers);
        assertThat(share.leftByOthers()).isEqualTo(left);
        look(share, left, 0);
        assertThat(look(share, left, 1_000)).isFalse();
        if (left > 0) {
            look(share, left - 1, 1_000);
            assertThat(look(share, left - 1, 2_000)).isTrue();
        }
    }
}
