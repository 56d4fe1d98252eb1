package io.delayjob.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every change of the clock in twenty years, in zones with unusual changes. */
class ZonesTest {

    private static final Instant FROM = Instant.parse("2010-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2030-01-01T00:00:00Z");
    private static final int DAYS = 20 * 365;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "Europe/London",
                "America/New_York",
                "America/Sao_Paulo",
                "America/St_Johns",
                "Australia/Lord_Howe",
                "Africa/Casablanca",
                "Asia/Tehran",
                "Asia/Kolkata",
                "Pacific/Chatham"
            })
    void daysKeepTheirLocalTime_exceptWhereTheClockHasNone(String id) {
        ZoneId zone = ZoneId.of(id);
        for (LocalTime time : awkwardTimes(zone)) {
            ZonedDateTime anchor = FROM.atZone(zone).with(time);
            List<Instant> runs = Times.runs(Repeat.every(Period.ofDays(1)).zone(zone), anchor.toInstant(), DAYS);

            for (int k = 1; k <= DAYS; k++) {
                Instant planned = runs.get(k - 1);
                LocalDateTime wanted = anchor.toLocalDateTime().plusDays(k);
                assertThat(planned).isEqualTo(wanted.atZone(zone).toInstant());
                ZoneOffsetTransition change = zone.getRules().getTransition(wanted);
                Duration shift = change != null && change.isGap() ? change.getDuration() : Duration.ZERO;
                assertThat(planned.atZone(zone).toLocalDateTime()).isEqualTo(wanted.plus(shift));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"})
    void nothingRepeatsOrGoesBack_roundAnyClockChange(String id) {
        ZoneId zone = ZoneId.of(id);
        for (ZoneOffsetTransition change : changes(zone)) {
            Instant before = change.getInstant().minus(Duration.ofHours(3)).plusMillis(1);
            for (Repeat repeat : List.of(
                    Repeat.cron("0 */10 * * * *").zone(zone),
                    Repeat.cron("0 30 * * * *").zone(zone),
                    Repeat.cron("0 15 2 * * *").zone(zone),
                    Repeat.every(Period.ofDays(1)).zone(zone).starting(before))) {
                List<Instant> runs = Times.runs(repeat, before, 40);
                assertThat(runs).hasSize(40).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"})
    void cronScheduledAtAnyMinuteOfAClockChange_comesNext(String id) {
        ZoneId zone = ZoneId.of(id);
        Repeat quarterly = Repeat.cron("0 */15 * * * *").zone(zone);
        for (ZoneOffsetTransition change : changes(zone)) {
            for (int minute = -90; minute <= 90; minute += 10) {
                Instant scheduledAt = change.getInstant().plus(Duration.ofMinutes(minute));
                Instant first = quarterly.first(scheduledAt).orElseThrow();
                assertThat(first).isAfter(scheduledAt).isBeforeOrEqualTo(scheduledAt.plus(Duration.ofMinutes(90)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Africa/Casablanca"})
    void periodsOfElapsedTime_ignoreZones(String id) {
        for (ZoneOffsetTransition change : changes(ZoneId.of(id))) {
            Instant before = change.getInstant().minus(Duration.ofHours(12));

            assertThat(Repeat.every(Duration.ofDays(1)).first(before)).contains(before.plus(Duration.ofHours(24)));
        }
    }

    private static List<ZoneOffsetTransition> changes(ZoneId zone) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        ZoneOffsetTransition change = zone.getRules().nextTransition(FROM);
        while (change != null && change.getInstant().isBefore(TO)) {
            changes.add(change);
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return changes;
    }

    /** Returns noon and, for each kind of clock change in that zone, a time in the middle of the change. */
    private static List<LocalTime> awkwardTimes(ZoneId zone) {
        List<LocalTime> times = new ArrayList<>(List.of(LocalTime.NOON));
        for (ZoneOffsetTransition change : changes(zone)) {
            LocalDateTime earlier = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
            times.add(earlier.plus(change.getDuration().abs().dividedBy(2)).toLocalTime());
        }
        return times.stream().distinct().toList();
    }
}
