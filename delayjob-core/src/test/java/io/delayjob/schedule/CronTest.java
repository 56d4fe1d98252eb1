package io.delayjob.schedule;

import static io.delayjob.schedule.Times.T0;
import static io.delayjob.schedule.Times.at;
import static io.delayjob.schedule.Times.local;
import static io.delayjob.schedule.Times.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class CronTest {

    private static final String BERLIN = "Europe/Berlin";
    private static final Repeat NIGHTLY = Repeat.cron("0 0 3 * * *").zone(ZoneId.of(BERLIN));

    @Test
    void threeInTheMorning_staysThreeOnBothDaysThatTheClockChanges() {
        assertThat(local(runs(NIGHTLY, at("2026-03-27T12:00", BERLIN), 3), BERLIN))
                .containsExactly("2026-03-28T03:00", "2026-03-29T03:00", "2026-03-30T03:00");
        assertThat(local(runs(NIGHTLY, at("2026-10-23T12:00", BERLIN), 3), BERLIN))
                .containsExactly("2026-10-24T03:00", "2026-10-25T03:00", "2026-10-26T03:00");
    }

    @Test
    void firstRun_isTheMatchStrictlyAfterScheduling() {
        Instant match = at("2026-05-01T03:00", BERLIN);

        assertThat(NIGHTLY.first(match)).contains(at("2026-05-02T03:00", BERLIN));
        assertThat(NIGHTLY.first(match.minusMillis(1))).contains(match);
    }

    @Test
    void starting_isTheMatchAtOrAfterIt() {
        Instant match = at("2026-05-01T03:00", BERLIN);

        assertThat(NIGHTLY.starting(match).first(T0)).contains(match);
        assertThat(NIGHTLY.starting(match.plusMillis(1)).first(T0)).contains(at("2026-05-02T03:00", BERLIN));
    }

    @Test
    void withoutMatch_hasNoRun() {
        assertThat(Repeat.cron("0 0 0 30 2 *").first(T0)).isEmpty();
    }

    @Test
    void endsWithTheYear9999() {
        Repeat yearly = Repeat.cron("0 0 0 1 1 *");

        assertThat(yearly.next(T0, 1, Instant.parse("9999-01-01T00:00:00Z"))).isEmpty();
    }

    @Test
    void malformedExpression_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Repeat.cron("0 0 3 * *"))
                .withMessage("Invalid cron expression '0 0 3 * *': must have 6 fields, has 5");
        for (String odd : new String[] {" ", "0 0 3 * * *;times=1", "0 0\n3 * * *"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Repeat.cron(odd))
                    .withMessageContaining("Invalid cron expression '" + odd + "': must not be blank");
        }
    }

    @Test
    void aSequenceThatDoesNotAdvance_isReported() {
        Rule stuck = new Cron("0 0 3 * * *", ZoneOffset.UTC, after -> after.minusYears(1));

        assertThatIllegalStateException()
                .isThrownBy(() -> stuck.next(0, 1, T0.toEpochMilli()))
                .withMessageContainingAll("cron:0 0 3 * * *@Z", "2026-01-15T10:00Z", CronSequence.class.getName());
    }

    @Test
    void parsers_areFoundOnTheClassPath() {
        assertThat(CronParsers.in(CronTest.class.getClassLoader())).containsInstanceOf(TestCronParser.class);
    }

    @Test
    void withoutParserOnTheClassPath_namesTheModuleThatBringsOne() throws Exception {
        try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
            assertThat(CronParsers.in(empty)).isEmpty();
        }
        assertThat(CronParsers.missing("0 0 3 * * *"))
                .hasMessageContainingAll(
                        "'0 0 3 * * *'", "io.delayjob:delayjob-spring-boot-starter", "META-INF/services");
    }
}
