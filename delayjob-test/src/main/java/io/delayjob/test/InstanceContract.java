package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Paused;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the register of instances, and the store's clock. */
interface InstanceContract extends GivenStore {

    @Test
    default void register_entersAnInstanceThatHasNotBeatenYet() {
        long number = instances().register("shop-1/8a0f", Set.of("default", "mail"), Set.of());

        assertThat(number).isPositive();
        assertThat(row(number))
                .isEqualTo(new InstanceRow(number, "shop-1/8a0f", Set.of("default", "mail"), false, 0, 0, null));
    }

    @Test
    default void register_takesAnInstanceThatOnlySchedules() {
        long number = instances().register("web-1", Set.of(), Set.of());

        assertThat(row(number).queues()).isEmpty();
    }

    @Test
    default void register_neverUsesANumberAgain() {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long number = instances().register("shop", Set.of("default"), Set.of());
            numbers.add(number);
            if (i % 2 == 0) {
                instances().deregister(number);
            } else {
                instances().remove(number, 0);
            }
        }

        assertThat(numbers).doesNotHaveDuplicates().doesNotContain(given().worker());
    }

    @Test
    default void register_givesThreadsThatComeTogetherDifferentNumbers() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> numbers = IntStream.range(0, 20)
                    .mapToObj(
                            i -> executor.submit(() -> instances().register("shop-" + i, Set.of("default"), Set.of())))
                    .toList();
            List<Long> seen = new ArrayList<>();
            for (Future<Long> number : numbers) {
                seen.add(number.get());
            }
            assertThat(seen).doesNotHaveDuplicates().hasSize(20);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    default void beat_raisesTheCounterByOneAndTellsTheTime() {
        long number = instances().register("shop", Set.of("default"), Set.of());

        long before = given().store().clockMicros();
        OptionalLong first = instances().beat(number, false, null);
        long after = given().store().clockMicros();
        instances().beat(number, false, null);

        assertThat(first).isPresent();
        assertThat(first.getAsLong()).isBetween(before, after);
        assertThat(row(number).beats()).isEqualTo(2);
        assertThat(row(given().worker()).beats()).as("another's counter").isZero();
    }

    @Test
    default void beat_saysThatTheInstanceIsStopping() {
        long number = instances().register("shop", Set.of("default"), Set.of());

        instances().beat(number, true, null);

        assertThat(row(number).stopping()).isTrue();
        assertThat(row(given().worker()).stopping()).isFalse();
    }

    @Test
    default void beat_tellsVitals_whichListsHave_andLooksLeaveOut() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        Vitals vitals = new Vitals(
                "1.0-ü",
                Instant.ofEpochMilli(1_900_000_000_123L),
                Duration.ofMillis(-7),
                new Vitals.Memory(2_104, 3, 1_000_000),
                new Vitals.Rates(0.25, 1_000, List.of(7L, 0L)),
                List.of(new Vitals.QueueUse("default", 16, 2, 1, List.of(0, 5))),
                new Vitals.LongestRunning(
                        new JobId(new UUID(1, 2)), "Überweisung", Instant.ofEpochMilli(1_900_000_000_001L)),
                List.of(new Vitals.Progress(new JobId(new UUID(1, 2)), 3, 17, 4_711, "Seite 17, \u65e5")),
                List.of(new Vitals.Log(
                        new JobId(new UUID(1, 2)),
                        new JobLog(3, List.of(new JobLog.Line(Instant.EPOCH, "Seite 17, \u65e5"))))));

        instances().beat(number, false, vitals);
        instances().acknowledgePauses(number, 42);

        assertThat(row(number).vitals()).isEqualTo(vitals);
        assertThat(row(given().worker()).vitals()).as("another's").isNull();
        assertThat(instances().look(number).instances())
                .as("in a look")
                .extracting(InstanceRow::vitals)
                .containsOnlyNulls();
    }

    @Test
    default void beat_withoutVitals_forgetsThoseTheInstanceToldBefore() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        Vitals many = new Vitals(
                null,
                Instant.EPOCH,
                Duration.ZERO,
                new Vitals.Memory(0, 0, 0),
                new Vitals.Rates(0, 0, List.of()),
                IntStream.range(0, 500)
                        .mapToObj(i -> new Vitals.QueueUse("ü".repeat(37) + i, 1, 1, 1, List.of(1_023)))
                        .toList(),
                null);
        instances().beat(number, false, many);
        assertThat(row(number).vitals()).as("the longest").isNotNull();

        instances().beat(number, false, null);

        assertThat(row(number).vitals()).isNull();
    }

    @Test
    default void beat_ofAnInstanceThatWasTakenOutIsNotHeard() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        instances().remove(number, 0);

        assertThat(instances().beat(number, false, null)).isEmpty();
        assertThat(instances().list()).extracting(InstanceRow::number).doesNotContain(number);
    }

    @Test
    default void acknowledgePauses_isSeenByWhoeverLooks_andKeptByHeartbeats() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        long fingerprint = Paused.queue("bulk").fingerprint();

        instances().acknowledgePauses(number, fingerprint);
        instances().beat(number, false, null);

        assertThat(row(number).pausesHeld()).isEqualTo(fingerprint);
        assertThat(instances().look(number).instances())
                .filteredOn(row -> row.number() == number)
                .singleElement()
                .satisfies(row -> assertThat(row.pausesHeld()).isEqualTo(fingerprint));
        assertThat(row(given().worker()).pausesHeld()).as("another's").isZero();
        instances().acknowledgePauses(number, Paused.NOTHING.fingerprint());
        assertThat(row(number).pausesHeld()).isZero();
    }

    @Test
    default void acknowledgePauses_changesNothingElse() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        instances().beat(number, true, null);

        instances().acknowledgePauses(number, 42);

        assertThat(row(number)).isEqualTo(new InstanceRow(number, "shop", Set.of("default"), true, 1, 42, null));
    }

    @Test
    default void acknowledgePauses_ofAnInstanceThatWasTakenOutDoesNothing() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        instances().deregister(number);

        instances().acknowledgePauses(number, 42);

        assertThat(instances().list()).extracting(InstanceRow::number).doesNotContain(number);
    }

    @Test
    default void remove_takesOutAnInstanceThatHasNotBeatenSince() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        instances().beat(number, false, null);

        assertThat(instances().remove(number, 1)).isTrue();
        assertThat(instances().remove(number, 1)).as("the second call").isFalse();
        assertThat(instances().list()).extracting(InstanceRow::number).containsExactly(given().worker());
    }

    @Test
    default void remove_leavesAnInstanceWhoseHeartHasBeatenSince() {
        long number = instances().register("shop", Set.of("default"), Set.of());
        instances().beat(number, false, null);

        assertThat(instances().remove(number, 0)).isFalse();
        assertThat(row(number).beats()).isEqualTo(1);
    }

    @Test
    default void deregister_takesTheInstanceOut() {
        long number = instances().register("shop", Set.of("default"), Set.of());

        instances().deregister(number);
        instances().deregister(number);

        assertThat(instances().list()).extracting(InstanceRow::number).containsExactly(given().worker());
    }

    @Test
    default void list_holdsEveryInstance() {
        long second = instances().register("second", Set.of("default"), Set.of());
        long third = instances().register("third", Set.of(), Set.of());

        assertThat(instances().list())
                .extracting(InstanceRow::number)
                .containsExactlyInAnyOrder(given().worker(), second, third);
    }

    @Test
    default void handlers_areThoseOfAllInstancesThatAreThere() {
        long mail =
                instances().register("mail", Set.of("default"), Set.of(Set.of("send-mail", "Überweisung", "old name")));
        long both = instances().register("both", Set.of("default"), Set.of(Set.of("send-mail"), Set.of("send-sms")));
        assertThat(instances().handlers())
                .containsExactlyInAnyOrder(
                        Set.of("send-mail", "Überweisung", "old name"), Set.of("send-mail"), Set.of("send-sms"));
        assertThat(instances().handlersByInstance())
                .containsEntry(mail, Set.of(Set.of("send-mail", "Überweisung", "old name")))
                .containsEntry(both, Set.of(Set.of("send-mail"), Set.of("send-sms")))
                .containsEntry(given().worker(), Set.of());

        instances().remove(mail, 0);
        assertThat(instances().handlers()).containsExactlyInAnyOrder(Set.of("send-mail"), Set.of("send-sms"));

        instances().deregister(both);
        assertThat(instances().handlers()).isEmpty();
    }

    @Test
    default void clockMicros_isAPlausibleTimeThatDoesNotGoBack() {
        long first = given().store().clockMicros();
        long second = given().store().clockMicros();

        assertThat(first)
                .as("microseconds, not milliseconds or nanoseconds")
                .isBetween(1_500_000_000_000_000L, 4_100_000_000_000_000L);
        assertThat(second).isGreaterThanOrEqualTo(first);
    }

    private InstanceStore instances() {
        return given().store().instances();
    }

    private InstanceRow row(long number) {
        return instances().list().stream()
                .filter(instance -> instance.number() == number)
                .findFirst()
                .orElseThrow();
    }
}
