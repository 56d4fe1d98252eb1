package io.delayjob.actuate.endpoint;

import io.delayjob.status.EngineStatus;
import io.delayjob.status.Sighting;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The registered instances.
 *
 * @param instances the instances
 */
record InstancesDescriptor(List<InstanceDescriptor> instances) implements OperationResponseBody {

    static InstancesDescriptor of(
            List<InstanceRow> rows, Set<String> notHeardOfPauses, EngineStatus status, Duration liveness) {
        Map<Long, Sighting> seen = status.instances().stream()
                .collect(Collectors.toMap(sighting -> sighting.instance().number(), Function.identity()));
        return new InstancesDescriptor(rows.stream()
                .sorted(Comparator.comparingLong(InstanceRow::number))
                .map(row -> InstanceDescriptor.of(
                        row,
                        seen.get(row.number()),
                        !notHeardOfPauses.contains(row.incarnation()),
                        row.number() == status.number(),
                        liveness))
                .toList());
    }

    enum State {
        /** The instance sends heartbeats. */
        ALIVE,
        /** The instance sends heartbeats, but starts no more jobs. */
        STOPPING,
        /** The heartbeat of the instance is overdue. The instance has died, hangs, or cannot reach the store. */
        LATE,
        /**
         * The answering instance has seen no heartbeat of this instance yet, but no heartbeat is overdue either. The
         * instance may have died before the answering instance started.
         */
        UNSEEN
    }

    /**
     * A registered instance. All fields that are not described here are fields of {@link InstanceRow}.
     *
     * @param heartbeatAge time since the answering instance last saw a heartbeat of the described instance. If it has
     *     not seen a heartbeat yet, this is the time since it began to watch the described instance
     * @param pausesHeard whether the instance has confirmed all pauses and resumes so far
     * @param self whether the instance is the answering instance
     * @param givenUpAfter the instance is removed from the register when its last heartbeat is older than this time
     * @param vitals the vitals in the last heartbeat; absent if the version of the instance sends no vitals
     */
    record InstanceDescriptor(
            long number,
            String incarnation,
            Set<String> queues,
            State state,
            @Nullable Duration heartbeatAge,
            boolean pausesHeard,
            boolean self,
            Duration givenUpAfter,
            @Nullable VitalsDescriptor vitals) {

        static InstanceDescriptor of(
                InstanceRow row, @Nullable Sighting seen, boolean pausesHeard, boolean self, Duration liveness) {
            TreeSet<String> queues = new TreeSet<>(row.queues());
            // The row has just been read. If its counter has changed since the previous read, the instance has sent a
            // heartbeat.
            boolean beaten = seen != null && seen.instance().beats() != row.beats();
            return new InstanceDescriptor(
                    row.number(),
                    row.incarnation(),
                    queues,
                    state(row, beaten ? Sighting.Heart.BEATING : heart(seen, self)),
                    beaten
                            ? Duration.ZERO
                            : seen == null ? null : seen.silence().truncatedTo(ChronoUnit.MILLIS),
                    pausesHeard,
                    self,
                    liveness,
                    VitalsDescriptor.of(row.vitals(), !row.queues().isEmpty()));
        }

        /**
         * Returns the state of an instance. The answering instance is treated as alive, even if it has not seen its own
         * heartbeat yet.
         */
        private static Sighting.Heart heart(@Nullable Sighting seen, boolean self) {
            Sighting.Heart known = seen == null ? Sighting.Heart.UNHEARD : seen.heart();
            return self && known == Sighting.Heart.UNHEARD ? Sighting.Heart.BEATING : known;
        }

        private static State state(InstanceRow row, Sighting.Heart heart) {
            return switch (heart) {
                case LATE -> State.LATE;
                case UNHEARD -> State.UNSEEN;
                case BEATING -> row.stopping() ? State.STOPPING : State.ALIVE;
            };
        }
    }
}
