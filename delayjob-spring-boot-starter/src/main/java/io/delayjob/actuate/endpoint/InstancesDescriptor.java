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

    static InstancesDescriptor of(List<InstanceRow> rows, Set<String> notHeardOfPauses, EngineStatus status) {
        Map<Long, Sighting> seen = status.instances().stream()
                .collect(Collectors.toMap(sighting -> sighting.instance().number(), Function.identity()));
        return new InstancesDescriptor(rows.stream()
                .sorted(Comparator.comparingLong(InstanceRow::number))
                .map(row -> InstanceDescriptor.of(
                        row,
                        seen.get(row.number()),
                        !notHeardOfPauses.contains(row.incarnation()),
                        row.number() == status.number()))
                .toList());
    }

    enum State {
        /** It sends heartbeats. */
        ALIVE,
        /** It sends heartbeats, but takes no more work. */
        STOPPING,
        /** Its heartbeat is overdue: it has died, hangs, or cannot reach the store. */
        LATE,
        /** This instance has not watched it for long enough yet. */
        UNSEEN
    }

    /**
     * An instance; the other fields are those of {@link InstanceRow}.
     *
     * @param heartbeatAge time for which this instance has seen no heartbeat of it, at most the time that it has
     *     watched
     * @param pausesHeard whether it observes all pauses and resumes made so far
     * @param self whether it is the instance that answers
     */
    record InstanceDescriptor(
            long number,
            String incarnation,
            Set<String> queues,
            State state,
            @Nullable Duration heartbeatAge,
            boolean pausesHeard,
            boolean self) {

        static InstanceDescriptor of(InstanceRow row, @Nullable Sighting seen, boolean pausesHeard, boolean self) {
            TreeSet<String> queues = new TreeSet<>(row.queues());
            if (seen == null) {
                return new InstanceDescriptor(
                        row.number(), row.incarnation(), queues, State.UNSEEN, null, pausesHeard, self);
            }
            // The row has just been read, so a counter that has moved since the last look means a heartbeat.
            boolean beaten = seen.instance().beats() != row.beats();
            State state = row.stopping() ? State.STOPPING : State.ALIVE;
            return new InstanceDescriptor(
                    row.number(),
                    row.incarnation(),
                    queues,
                    seen.late() && !beaten ? State.LATE : state,
                    beaten ? Duration.ZERO : seen.silence().truncatedTo(ChronoUnit.MILLIS),
                    pausesHeard,
                    self);
        }
    }
}
