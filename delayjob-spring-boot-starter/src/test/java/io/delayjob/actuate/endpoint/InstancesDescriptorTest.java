package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.actuate.endpoint.InstancesDescriptor.InstanceDescriptor;
import io.delayjob.actuate.endpoint.InstancesDescriptor.State;
import io.delayjob.job.JobId;
import io.delayjob.status.Sighting;
import io.delayjob.status.Sighting.Heart;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InstancesDescriptorTest {

    private static final Duration LIVENESS = Duration.ofSeconds(10);

    private static final Duration SILENCE = Duration.ofNanos(5_123_456_789L);

    private static InstanceRow row(boolean stopping, long beats) {
        return new InstanceRow(7, "shop-7", Set.of("default"), stopping, beats, 0, null);
    }

    private static InstanceDescriptor shown(InstanceRow read, InstanceRow seen, Heart heart) {
        return InstanceDescriptor.of(read, new Sighting(seen, SILENCE, heart), true, false, LIVENESS);
    }

    @Test
    void deadInstance_isLateUntilItIsGivenUp() {
        InstanceDescriptor late = shown(row(false, 3), row(false, 3), Heart.LATE);
        assertThat(late.state()).isEqualTo(State.LATE);
        assertThat(late.heartbeatAge()).isEqualTo(Duration.ofMillis(5_123));
        assertThat(shown(row(true, 3), row(true, 3), Heart.LATE).state())
                .as("it has died while it stopped")
                .isEqualTo(State.LATE);
    }

    @Test
    void instanceThatHasBeatenSinceItWasSeen_isAlive() {
        InstanceDescriptor alive = shown(row(false, 4), row(false, 3), Heart.LATE);
        assertThat(alive.state()).isEqualTo(State.ALIVE);
        assertThat(alive.heartbeatAge()).isZero();
    }

    @Test
    void stoppingInstance_isShownAsSuch() {
        assertThat(shown(row(true, 3), row(false, 3), Heart.BEATING).state()).isEqualTo(State.STOPPING);
    }

    @Test
    void instanceThatNobodyHasWatched_isUnseen() {
        InstanceDescriptor unseen = InstanceDescriptor.of(row(false, 3), null, true, false, LIVENESS);
        assertThat(unseen.state()).isEqualTo(State.UNSEEN);
        assertThat(unseen.heartbeatAge()).isNull();
    }

    @Test
    void instanceWhoseHeartWasNotSeenToBeatYet_isUnseen_notAlive() {
        InstanceDescriptor died = shown(row(false, 3), row(false, 3), Heart.UNHEARD);
        assertThat(died.state()).isEqualTo(State.UNSEEN);
        assertThat(died.heartbeatAge()).isEqualTo(Duration.ofMillis(5_123));
        assertThat(shown(row(false, 4), row(false, 3), Heart.UNHEARD).state()).isEqualTo(State.ALIVE);
    }

    @Test
    void instanceThatTellsNothing_hasNoVitals() {
        assertThat(shown(row(false, 3), row(false, 3), Heart.BEATING).vitals()).isNull();
    }

    @Test
    void vitals_areShown() {
        Vitals told = new Vitals(
                "0.1.0",
                Instant.parse("2030-01-01T08:00:00.123Z"),
                Duration.ofMillis(-3),
                new Vitals.Memory(12, 3, 1_000),
                new Vitals.Rates(2.5, 2, List.of(4L)),
                List.of(
                        new Vitals.QueueUse("default", 16, 2, 1, List.of(0, 7)),
                        new Vitals.QueueUse("dropped", 0, 0, 0, List.of(3))),
                new Vitals.LongestRunning(
                        new JobId(new UUID(1, 2)), "export", Instant.parse("2030-01-01T08:04:00.123456Z")));
        InstanceRow row = new InstanceRow(7, "shop-7", Set.of("default"), false, 3, 0, told);

        VitalsDescriptor vitals = shown(row, row, Heart.BEATING).vitals();

        assertThat(vitals)
                .isEqualTo(new VitalsDescriptor(
                        "0.1.0",
                        Instant.parse("2030-01-01T08:00:00Z"),
                        true,
                        Map.of("default", new VitalsDescriptor.SlotsDescriptor(16, 2, 1)),
                        12,
                        3,
                        1_000,
                        2.5,
                        2,
                        List.of(4L),
                        Duration.ofMillis(-3),
                        List.of("default-p0", "default-p7", "dropped-p3"),
                        new VitalsDescriptor.LongestDescriptor(
                                "00000000-0000-0001-0000-000000000002",
                                "export",
                                Instant.parse("2030-01-01T08:04:00.123Z"))));
    }
}
