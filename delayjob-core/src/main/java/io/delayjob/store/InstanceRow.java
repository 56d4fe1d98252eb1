package io.delayjob.store;

import java.util.Set;

/**
 * One registered instance.
 *
 * @param number the number of the instance
 * @param incarnation the name of the instance, unique to one start of one process
 * @param queues the queues that it works
 * @param stopping whether it takes no more work
 * @param beats its heartbeat counter
 * @param pausesHeld the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that it has
 *     confirmed
 */
public record InstanceRow(
        long number, String incarnation, Set<String> queues, boolean stopping, long beats, long pausesHeld) {}
