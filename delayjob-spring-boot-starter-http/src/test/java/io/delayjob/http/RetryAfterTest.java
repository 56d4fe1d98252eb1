package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-23T15:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30                            | PT30S
            ' 30 '                        | PT30S
            0                             | PT1S
            Mon, 23 Nov 2026 15:01:00 GMT | PT1M
            Mon, 23 Nov 2026 14:00:00 GMT | PT1S
            """)
    void secondsOrADate_areRead(String header, Duration delay) {
        assertThat(RetryAfter.parse(header, NOW)).hasValue(delay);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-1",
                "1.5",
                "999999999",
                "99999999999999999999",
                "Mon, 99 Nov 2026 15:01:00 GMT",
                "Sat, 01 Jan 4000 00:00:00 GMT"
            })
    void unreadableHeader_isIgnored(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isEmpty();
    }

    @Test
    void missingHeader_isIgnored() {
        assertThat(RetryAfter.parse(null, NOW)).isEmpty();
    }

    @Property(tries = 2000)
    void anyHeader_isReadOrIgnored(@ForAll String header) {
        RetryAfter.parse(header, NOW).ifPresent(delay -> assertThat(delay).isPositive());
    }

    @Property(tries = 2000)
    void spread_isUpToATenth(@ForAll @IntRange(min = 1, max = 31_536_000) int seconds, @ForAll int seed) {
        Duration delay = Duration.ofSeconds(seconds);
        assertThat(RetryAfter.spread(delay, seed))
                .isBetween(delay, delay.plus(delay.dividedBy(10)))
                .isEqualTo(RetryAfter.spread(delay, seed));
    }

    @Test
    void spread_differsFromJobToJob() {
        assertThat(java.util.stream.IntStream.range(0, 100)
                        .mapToObj(seed -> RetryAfter.spread(Duration.ofSeconds(100), seed))
                        .distinct()
                        .count())
                .isGreaterThan(80);
    }
}
