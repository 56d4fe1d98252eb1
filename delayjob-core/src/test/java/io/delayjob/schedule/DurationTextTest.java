package io.delayjob.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "10s, PT10S",
        "1m, PT1M",
        "2h, PT2H",
        "1d, PT24H",
        "0s, PT0S",
        "007s, PT7S",
        "PT10S, PT10S",
        "P1DT2H, PT26H"
    })
    void reads(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "10", "s", "10 s", " 10s", "10S", "1M", "10sec", "10us", "1.5s", "-1s", "1m30s", "P1M"})
    void textThatIsNotADuration_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessageStartingWith(
                        "Invalid duration '" + text + "': must be a whole number and, without a space, a unit");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT-10S               | must not be negative",
                "PT0.0001S            | must be whole milliseconds",
                "3652060d             | must be at most 9,999 years",
                "9223372036854775807d | must be at most 9,999 years",
                "9223372036854775808s | must be at most 9,999 years"
            })
    void durationThatNoScheduleTakes_isRefused(String text, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessageContainingAll("'" + text + "'", rule);
    }

    @Property
    void textOfADuration_isRead(@ForAll @LongRange(min = 0, max = 315_537_897_600_000L) long millis) {
        Duration duration = Duration.ofMillis(millis);

        assertThat(DurationText.parse(duration.toString())).isEqualTo(duration);
        assertThat(DurationText.parse(millis + "ms")).isEqualTo(duration);
    }
}
