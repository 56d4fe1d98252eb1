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
 */
public record InstanceRow(long number, String incarnation, Set<String> queues, boolean stopping, long beats) {}
