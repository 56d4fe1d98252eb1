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
 * Values of an instance and its store that change every second.
 *
 * @param time store time of the answer
 * @param next value to send as {@code after} in the next request
 * @param countedAt time at which jobs were counted, at most ten seconds ago
 * @param registerAt time at which instances and pauses were last read; long ago if the store does not answer
 * @param starts calls to handlers on this instance since the answer that {@code after} came from, oldest first
 * @param startsLeftOut number of further calls that the list leaves out
 * @param events other events on this instance since that answer, oldest first
 * @param wheel the wheel of this instance, if the request asked for it
 * @param stores names of all stores, if the application has several
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
     * The store.
     *
     * @param product name of the store in a few words
     * @param clockSkew the store's clock minus the clock of the machine that answers
     * @param calls durations of this instance's calls to the store, up to ten seconds old; absent without Micrometer
     * @param bytes size of the tables with their indexes at the last count; absent if unknown
     */
    record StoreDescriptor(
            String product,
            Duration clockSkew,
            @Nullable List<CallDescriptor> calls,
            @Nullable Long bytes) {}

    /**
     * How long one kind of call to the store takes.
     *
     * @param operation {@code claim}, {@code complete} or {@code submit}
     * @param mean the mean duration of the latest calls
     * @param max maximum duration in the last minutes
     */
    record CallDescriptor(String operation, Duration mean, Duration max) {}
}
