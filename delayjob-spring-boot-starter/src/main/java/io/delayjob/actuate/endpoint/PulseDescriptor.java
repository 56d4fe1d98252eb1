package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Values that change every second: values of an instance, and values of its store.
 *
 * @param next value to send as {@code after} in the next request
 * @param countedAt time at which jobs were counted, at most ten seconds ago
 * @param registerAt time at which instances and pauses were last read
 * @param starts calls to handlers on this instance since an earlier answer, oldest first; {@code after} of this request
 *     is {@code next} of the earlier answer
 */
record PulseDescriptor(
        Instant time,
        String next,
        Map<JobState, Long> jobs,
        @Nullable Set<JobState> atLeast,
        @Nullable Set<JobState> about,
        Instant countedAt,
        @Nullable Instant oldestDue,
        PausedDescriptor paused,
        SummaryDescriptor.EngineDescriptor engine,
        StoreDescriptor store,
        Instant registerAt,
        List<InstancesDescriptor.InstanceDescriptor> instances,
        List<RecentActivity.Start> starts,
        long startsLeftOut,
        List<RecentActivity.Event> events,
        @Nullable WheelDescriptor wheel,
        @Nullable Collection<String> stores)
        implements OperationResponseBody {

    /**
     * @param clockSkew the store's clock minus the clock of the machine that answers
     * @param calls durations of calls to the store, at most ten seconds old; absent if there is no Micrometer
     * @param bytes size of the tables with their indexes; absent if unknown
     */
    record StoreDescriptor(
            String product,
            Duration clockSkew,
            @Nullable List<CallDescriptor> calls,
            @Nullable Long bytes) {}

    /**
     * @param operation {@code claim}, {@code complete} or {@code submit}
     * @param mean mean duration of the latest calls
     * @param max maximum duration in the last minutes
     */
    record CallDescriptor(String operation, Duration mean, Duration max) {}
}
