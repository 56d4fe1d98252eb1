package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What changes from second to second.
 *
 * @param time store time of the answer
 * @param next what to ask for with {@code after=} the next time
 * @param countedAt when the jobs were counted, at most ten seconds ago; all viewers share a count
 * @param store which store it is
 * @param starts handlers that this instance has called since, oldest first
 * @param startsLeftOut number of further calls
 * @param events what else this instance has seen since, oldest first
 * @param wheel its wheel, if that was asked for
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
        List<InstancesDescriptor.InstanceDescriptor> instances,
        List<RecentActivity.Start> starts,
        long startsLeftOut,
        List<RecentActivity.Event> events,
        @Nullable WheelDescriptor wheel)
        implements OperationResponseBody {

    /**
     * The store.
     *
     * @param product the store in a few words
     */
    record StoreDescriptor(String product) {}
}
