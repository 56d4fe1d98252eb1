package io.delayjob.actuate.endpoint;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.status.SlotUse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queue, as this instance sees it.
 *
 * @param rate maximum number of starts in a period on all instances together; absent if there is no limit
 * @param claimed number of jobs that are claimed here and about to start
 * @param partitionCount number of partitions over which new jobs are spread
 */
record QueueDescriptor(
        String name,
        boolean paused,
        boolean enabled,
        int concurrency,
        @Nullable String rate,
        int running,
        int claimed,
        Set<String> handlers,
        int partitionCount,
        List<String> partitions)
        implements OperationResponseBody {

    static QueueDescriptor of(
            String name, EngineSettings settings, HandlerRegistry handlers, Pauses pauses, EngineStatus status) {
        RateLimit rate = settings.queue(name).rate();
        SlotUse slots = status.workers().get(name);
        return new QueueDescriptor(
                name,
                pauses.paused().holdsQueue(name),
                settings.worker() && settings.queue(name).enabled(),
                settings.queue(name).concurrency(),
                rate == null ? null : rate.toString(),
                slots == null ? 0 : slots.active(),
                slots == null ? 0 : slots.claimed(),
                handlers.all().stream()
                        .filter(handler -> handler.queue().equals(name))
                        .map(Handler::name)
                        .collect(Collectors.toCollection(TreeSet::new)),
                settings.queues().partitions(),
                status.led().stream()
                        .filter(partition -> partition.queue().equals(name))
                        .sorted()
                        .map(Partition::toString)
                        .toList());
    }
}
