package io.delayjob.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitTest {

    @ParameterizedTest
    @CsvSource({
        "100/s, 100, 10",
        "30/min, 0.5, 1",
        "5000/h, 1.38888889, 1",
        "10/d, 0.000115740741, 1",
        "1/s, 1, 1",
        "1000000/s, 1000000, 100000"
    })
    void text_isANumberAndAUnit_andTheBurstIsTheStartsOf100Milliseconds(String text, double perSecond, int burst) {
        RateLimit rate = RateLimit.of(text);
        assertThat(rate.startsPerNano() * 1e9).isCloseTo(perSecond, within(1e-7));
        assertThat(rate.burst()).isEqualTo(burst);
        assertThat(rate).hasToString(text + ", burst " + burst);
    }

    @ParameterizedTest
    @CsvSource({"100", "100/sec", "100 / s", "/s", "1.5/s", "-1/s", "10000000000/s", "1e3/s", "''"})
    void otherText_isRefused_withTheFormat(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimit.of(text))
                .withMessage(
                        "Invalid rate '%s': must be a whole number of starts and, without a space, a unit (/s, /min, /h or /d), such as 100/s, 30/min or 5000/h. Leave it out for no limit.",
                        text);
    }

    @Test
    void numberOutOfRange_isRefused_withTheRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimit.of("0/s"))
                .withMessage(
                        "Invalid rate 0/s: must be from 1 to 1000000 starts; to start nothing, pause the handler or queue.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimit.of("1000001/min"))
                .withMessageContaining("Invalid rate 1000001/min: must be from 1 to 1000000 starts");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimit.of("5/min").burst(0))
                .withMessage(
                        "Invalid burst 0 of rate 5/min: must be from 1 to 1000000 starts; leave it out for the number of starts in 100 ms.");
    }

    @Test
    void burstWithoutARate_isRefused() {
        assertThat(RateLimit.of(null, null)).isNull();
        assertThat(RateLimit.of("5/s", 3)).isEqualTo(RateLimit.of("5/s").burst(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimit.of(null, 3))
                .withMessage(
                        "Invalid burst 3: must come with a rate. State a rate such as 100/s, or remove the burst.");
    }
}
