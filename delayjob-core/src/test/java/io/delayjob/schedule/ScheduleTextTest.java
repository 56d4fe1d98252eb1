package io.delayjob.schedule;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleTextTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    static Stream<Arguments> kinds() {
        return Stream.of(
                arguments("gaps:PT1S,PT2S,PT0.005S", Repeat.finite(ofSeconds(1), ofSeconds(2), ofMillis(5))),
                arguments("gaps:PT1S", Repeat.finite(ofSeconds(1))),
                arguments("gaps:PT1S,PT5S*", Repeat.infinite(ofSeconds(1), ofSeconds(5))),
                arguments("every:PT1S", Repeat.infinite(ofSeconds(1))),
                arguments("every:PT24H", Repeat.every(Duration.ofDays(1))),
                arguments("every:P1D@Z", Repeat.every(Period.ofDays(1))),
                arguments(
                        "every:P1Y2M3D@Europe/Berlin",
                        Repeat.every(Period.of(1, 2, 3)).zone(BERLIN)),
                arguments("offsets:PT1H,PT24H", Repeat.offsets(ofHours(1), ofHours(24))),
                arguments("growing:PT30S*2", Repeat.growing(ofSeconds(30), 2)),
                arguments(
                        "growing:PT30S*1.5<=PT1H",
                        Repeat.growing(ofSeconds(30), 1.5).upTo(ofHours(1))),
                arguments("cron:0 0 3 * * *@Z", Repeat.cron(" 0 0 3 * * * ")),
                arguments(
                        "cron:0 0 3 * * *@Europe/Berlin",
                        Repeat.cron("0 0 3 * * *").zone(BERLIN)),
                arguments("cron:0 0 3 * * *@-03:30", Repeat.cron("0 0 3 * * *").zone(ZoneId.of("-03:30"))));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKind_isWrittenAndReadBack(String text, Repeat repeat) {
        assertThat(repeat.toText()).isEqualTo(text).isEqualTo(repeat.toString());
        assertThat(Schedule.parse(text)).isEqualTo(repeat);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyOption_isWrittenAndReadBack(String text, Repeat repeat) {
        Repeat full = repeat.misfire(MisfirePolicy.SKIP)
                .starting(Instant.parse("2029-01-01T00:00:00.001Z"))
                .jitter(ofSeconds(5))
                .until(Instant.parse("2030-01-01T00:00:00Z"))
                .times(5);

        assertThat(full.toText())
                .isEqualTo(text + ";times=5;until=2030-01-01T00:00:00Z;jitter=PT5S"
                        + ";starting=2029-01-01T00:00:00.001Z;misfire=SKIP");
        assertThat(Schedule.parse(full.toText())).isEqualTo(full).isNotEqualTo(repeat);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "''                          | '' is not a kind of schedule",
                "often                       | 'often' is not a kind of schedule: must be gaps, every",
                "gaps                        | Invalid duration 'gaps'",
                "gaps:                       | Invalid duration ''",
                "gaps:PT1S,,PT2S             | Invalid duration ''",
                "gaps:PT1S,oops*             | Invalid duration 'oops'",
                "gaps:PT1S,PT0S              | Invalid gap 2 (PT0S): must be at least 1 ms",
                "offsets:PT2S,PT1S           | Invalid offset 2 (PT1S): must be longer",
                "growing:PT1S                | 'PT1S' lacks a factor",
                "growing:PT1S*x              | 'x' is not a factor",
                "growing:PT1S*0.5            | Invalid factor (0.5)",
                "growing:PT5S*2<=PT1S        | Invalid limit (PT1S)",
                "every:P1M                   | Invalid duration 'P1M'",
                "every:1 month@Z             | '1 month' is not a period",
                "every:P0D@Z                 | Invalid period (P0D)",
                "every:P1M@Europe/Atlantis   | 'Europe/Atlantis' is not a known time zone",
                "cron:0 0 3 * * *            | '0 0 3 * * *' lacks a time zone",
                "cron:@Z                     | '@Z' lacks a time zone",
                "cron:0 0 3@Z                | Invalid cron expression '0 0 3': must have 6 fields",
                "every:PT1S;times            | 'times' is not an option",
                "every:PT1S;                 | '' is not an option",
                "every:PT1S;times=1;times=2  | each may appear only once",
                "every:PT1S;times=many       | 'many' is not a number",
                "every:PT1S;times=0          | Invalid number of times (0)",
                "every:PT1S;until=noon       | 'noon' is not an instant",
                "every:PT1S;jitter=PT-1S     | must not be negative",
                "every:PT1S;misfire=skip     | 'skip' is not a misfire policy: must be one of [RUN_EACH, RUN_ONCE, SKIP]",
                "every:PT1S;colour=red       | 'colour' is not an option: must be one of times, until"
            })
    void textThatIsNotASchedule_isRefusedWithItsWrongPart(String text, String part) {
        String stored = text.equals("''") ? "" : text;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.parse(stored))
                .withMessageStartingWith("Invalid schedule '" + stored + "': ")
                .withMessageContaining(part);
    }

    @Test
    void tooLongAText_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.parse("gaps:" + "PT1S,".repeat(500) + "PT1S"))
                .withMessageContaining("it has 2509 characters: must have at most 2000");
    }
}
