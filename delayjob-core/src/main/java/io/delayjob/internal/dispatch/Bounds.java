package io.delayjob.internal.dispatch;

import java.time.Duration;

/**
 * The number of jobs that dispatch keeps in memory.
 *
 * @param maxReady maximum number of ready rows over all lanes, and maximum number of claimed jobs without a slot
 * @param sweepInterval time for which a backlog in memory must last
 */
public record Bounds(int maxReady, Duration sweepInterval) {}
