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

/** The registered instances. */
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
        ALIVE,
        /** Sends heartbeats, but starts no more jobs. */
        STOPPING,
        /** The instance has died, hangs, or cannot reach the store. */
        LATE,
        /** The answering instance has seen no heartbeat yet, but none is overdue. */
        UNSEEN
    }

    /**
     * A registered instance. {@link InstanceRow} describes all other fields.
     *
     * @param heartbeatAge time since the answering instance last saw a heartbeat of this instance; if there was no
     *     heartbeat, time since the answering instance began to watch this instance
     * @param givenUpAfter when the last heartbeat has this age, the instance is removed from the register
     * @param vitals absent if the version of the instance sends no vitals
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
            // The row has just been read, so a changed counter means a new heartbeat.
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
