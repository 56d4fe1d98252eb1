package io.delayjob.store;

import java.util.Set;

/**
 * One registered instance.
 *
 * @param number its number
 * @param incarnation its name, unique to one start of one process
 * @param queues the queues it works
 * @param stopping whether it takes no more work
 * @param beats its heartbeat counter
 * @param pausesHeld the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that it is known to
 *     hold
 */
public record InstanceRow(
        long number, String incarnation, Set<String> queues, boolean stopping, long beats, long pausesHeld) {}
