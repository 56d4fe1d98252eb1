package io.delayjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableDurationTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.0009S, 0 ms",
        "PT0.35S, 350 ms",
        "PT1S, 1 s",
        "PT10.003S, 10 s",
        "PT12.39S, 12.3 s",
        "PT59.999S, 59.9 s",
        "PT1M, 1 min",
        "PT2M5.7S, 2 min 5 s",
        "PT3H, 3 h",
        "PT3H20M59S, 3 h 20 min",
        "PT24H, 1 d",
        "PT98H40M, 4 d 2 h",
        "PT-10S, -10 s",
    })
    void duration_isShownInTwoUnitsAtMost(Duration duration, String text) {
        assertThat(ReadableDuration.of(duration)).isEqualTo(text);
    }
}
