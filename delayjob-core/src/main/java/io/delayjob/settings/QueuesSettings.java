package io.delayjob.settings;

import io.delayjob.handler.Handler;
import io.delayjob.job.Partition;
import java.util.Map;

/**
 * The settings of the queues that an instance runs.
 *
 * @param named the settings of each configured queue. If a queue is not in this map, the queue has
 *     {@link QueueSettings#DEFAULT}
 * @param max maximum number of queues, 1 or more. A queue is also counted if its name appears only in a call that
 *     schedules a job
 * @param partitions number of partitions of each queue, 1 to {@value io.delayjob.job.Partition#MAX_PER_QUEUE}
 */
public record QueuesSettings(Map<String, QueueSettings> named, int max, int partitions) {

    public QueuesSettings {
        named = Map.copyOf(named);
        named.keySet().forEach(Handler::checkQueue);
        SettingCheck.holds(max >= 1, "max-queues", max, "must be 1 or more");
        SettingCheck.holds(
                partitions >= 1 && partitions <= Partition.MAX_PER_QUEUE,
                "partitions",
                partitions,
                "must be from 1 to " + Partition.MAX_PER_QUEUE);
    }
}
