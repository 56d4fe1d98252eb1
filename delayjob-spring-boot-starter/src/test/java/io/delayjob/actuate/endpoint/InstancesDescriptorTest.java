package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.actuate.endpoint.InstancesDescriptor.InstanceDescriptor;
import io.delayjob.actuate.endpoint.InstancesDescriptor.State;
import io.delayjob.status.Sighting;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstancesDescriptorTest {

    private static final Duration SILENCE = Duration.ofNanos(5_123_456_789L);

    private static InstanceRow row(boolean stopping, long beats) {
        return new InstanceRow(7, "shop-7", Set.of("default"), stopping, beats, 0);
    }

    private static InstanceDescriptor shown(InstanceRow read, InstanceRow seen, boolean late) {
        return InstanceDescriptor.of(read, new Sighting(seen, SILENCE, late), true, false);
    }

    @Test
    void deadInstance_isLateUntilItIsGivenUp() {
        InstanceDescriptor late = shown(row(false, 3), row(false, 3), true);
        assertThat(late.state()).isEqualTo(State.LATE);
        assertThat(late.heartbeatAge()).isEqualTo(Duration.ofMillis(5_123));
        assertThat(shown(row(true, 3), row(true, 3), true).state())
                .as("it has died while it stopped")
                .isEqualTo(State.LATE);
    }

    @Test
    void instanceThatHasBeatenSinceItWasSeen_isAlive() {
        InstanceDescriptor alive = shown(row(false, 4), row(false, 3), true);
        assertThat(alive.state()).isEqualTo(State.ALIVE);
        assertThat(alive.heartbeatAge()).isZero();
    }

    @Test
    void stoppingInstance_isShownAsSuch() {
        assertThat(shown(row(true, 3), row(false, 3), false).state()).isEqualTo(State.STOPPING);
    }

    @Test
    void instanceThatNobodyHasWatched_isUnseen() {
        InstanceDescriptor unseen = InstanceDescriptor.of(row(false, 3), null, true, false);
        assertThat(unseen.state()).isEqualTo(State.UNSEEN);
        assertThat(unseen.heartbeatAge()).isNull();
    }
}
