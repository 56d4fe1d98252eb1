package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroup;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.Precision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks two counts for the dashboard: jobs by due time, and failures by handler and type.
 */
interface OutlookContract extends GivenStore {

    DueSpan THREE_MINUTES = new DueSpan(StoreScenario.NOW, Duration.ofMinutes(1), 3);

    @Test
    default void due_ofAnEmptyStore_isNothing() {
        DueCounts counts = given().store().due(THREE_MINUTES);

        assertThat(counts.due()).containsExactly(0L, 0L, 0L);
        assertThat(counts.precision()).containsOnly(Precision.EXACT);
        assertThat(counts.hasCountedNames()).isTrue();
        assertThat(counts.byName()).isEmpty();
    }

    @Test
    default void due_countsUnfinishedJobsByBucketAndName() {
        Instant now = StoreScenario.NOW;
        given().waiting(given().job().name("mail").at(now.minusMillis(1)));
        given().waiting(given().job().name("mail").at(now));
        given().running(given().job().name("sms").at(now));
        given().waiting(given().job().name("mail").at(now.plusMillis(59_999)));
        given().waiting(given().job().name("mail").at(now.plusMillis(60_000)));
        given().waiting(given().job().name("mail").at(now.plusMillis(179_999)));
        given().waiting(given().job().name("mail").at(now.plusMillis(180_000)));
        given().finished(given().job());

        DueCounts counts = given().store().due(THREE_MINUTES);

        assertThat(counts.due()).containsExactly(3L, 1L, 1L);
        assertThat(counts.precision()).containsOnly(Precision.EXACT);
        assertThat(counts.hasCountedNames()).isTrue();
        assertThat(counts.byName()).isEqualTo(Map.of("mail", List.of(2L, 1L, 1L), "sms", List.of(1L, 0L, 0L)));
        assertThat(counts.lookedAt()).isEqualTo(5);
    }

    @Test
    default void failures_ofAnEmptyStore_areNone() {
        FailureGroups failures = given().store().failures(day(2));

        assertThat(failures.groups()).isEmpty();
        assertThat(failures.complete()).isTrue();
        assertThat(failures.lookedAt()).isZero();
    }

    @Test
    default void failures_areGroupedByNameAndType() {
        Instant now = StoreScenario.NOW;
        failed("mail", "java.io.IOException", "too old", now.minus(Duration.ofDays(1)));
        failed("mail", "java.io.IOException", "first", now.minus(Duration.ofHours(13)));
        failed("mail", "java.io.IOException", "second", now.minus(Duration.ofHours(1)));
        Job newest = failed("mail", "java.io.IOException", "third", now);
        Job other = failed("mail", "java.lang.Error", "broken", now.minus(Duration.ofHours(2)));
        failed("sms", "java.lang.Error", "broken", now.minus(Duration.ofHours(2)));
        failed("mail", "java.io.IOException", "too new", now.plusMillis(1));
        given().finished(given().job());

        FailureGroups failures = given().store().failures(day(2));

        assertThat(failures.lookedAt()).isEqualTo(5);
        assertThat(failures.complete()).isTrue();
        assertThat(failures.groups().get(0))
                .isEqualTo(new FailureGroup(
                        "mail",
                        "java.io.IOException",
                        3,
                        now.minus(Duration.ofHours(13)),
                        now,
                        List.of(1L, 2L),
                        newest.id(),
                        "third"));
        assertThat(failures.groups())
                .extracting(FailureGroup::name, FailureGroup::errorType, FailureGroup::count)
                .hasSize(3)
                .contains(tuple("mail", "java.lang.Error", 1L), tuple("sms", "java.lang.Error", 1L));
        assertThat(failures.groups()).extracting(FailureGroup::newest).contains(other.id());
    }

    @Test
    default void failures_leaveOutJobsThatWereRetried() {
        Job failed = failed("mail", "java.io.IOException", "refused", StoreScenario.NOW);
        given().store().retry(failed.id(), StoreScenario.NOW, given().token(), row -> {});

        assertThat(given().store().failures(day(1)).groups()).isEmpty();
    }

    private Job failed(String name, String type, String message, Instant end) {
        Job running = given().running(given().job().name(name));
        given().complete(given().completing(running)
                .failed(Failure.of(type, message))
                .endedAt(end));
        return given().find(running.id());
    }

    private static FailureGroups.Span day(int buckets) {
        return new FailureGroups.Span(StoreScenario.NOW.minus(Duration.ofDays(1)), StoreScenario.NOW, buckets);
    }
}
