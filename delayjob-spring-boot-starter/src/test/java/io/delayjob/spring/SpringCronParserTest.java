package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.schedule.CronParser;
import io.delayjob.schedule.Misfire;
import io.delayjob.schedule.Repeat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class SpringCronParserTest {

    @Test
    void serviceLoader_findsIt() {
        assertThat(ServiceLoader.load(CronParser.class)).hasOnlyElementsOfType(SpringCronParser.class);
    }

    @Test
    void expressions_matchInTheirZone() {
        Repeat nightly = Repeat.cron("0 0 3 * * *").zone(ZoneId.of("Europe/Berlin"));
        assertThat(nightly.first(Instant.parse("2026-03-28T12:00:00Z")))
                .contains(Instant.parse("2026-03-29T01:00:00Z"));
    }

    @Test
    void yearsOfMissedMatches_areLeaptOver() {
        Repeat everyTenSeconds = Repeat.cron("*/10 * * * * *").zone(ZoneId.of("Europe/Berlin"));
        Instant scheduled = Instant.parse("2026-11-23T00:00:00Z");
        Instant first = everyTenSeconds.first(scheduled).orElseThrow();

        assertThat(everyTenSeconds.judge(scheduled, 1, first, Instant.parse("2030-01-01T00:00:07Z")))
                .isEqualTo(new Misfire.Merged(
                        1, Misfire.MAX_LOOKAHEAD, 1 + Misfire.MAX_LOOKAHEAD, Instant.parse("2030-01-01T00:00:00Z")));
    }

    @Test
    void changesOfTheClock_haveTheSameEffectAsOnScheduledMethods() {
        Repeat nightly = Repeat.cron("0 30 2 * * *").zone(ZoneId.of("Europe/Berlin"));
        Instant beforeSpring = Instant.parse("2026-03-28T12:00:00Z");
        Instant beforeAutumn = Instant.parse("2026-10-24T12:00:00Z");
        Instant firstInAutumn = Instant.parse("2026-10-25T00:30:00Z");
        Instant secondInAutumn = Instant.parse("2026-10-25T01:30:00Z");

        assertThat(nightly.first(beforeSpring)).contains(Instant.parse("2026-03-30T00:30:00Z"));
        assertThat(nightly.first(beforeAutumn)).contains(firstInAutumn);
        assertThat(nightly.next(beforeAutumn, 1, firstInAutumn)).contains(secondInAutumn);
        assertThat(nightly.next(beforeAutumn, 2, secondInAutumn)).contains(Instant.parse("2026-10-26T01:30:00Z"));
    }

    @Test
    void malformedExpressions_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Repeat.cron("0 3 * *"))
                .withMessageContaining("Invalid cron expression '0 3 * *'");
    }
}
