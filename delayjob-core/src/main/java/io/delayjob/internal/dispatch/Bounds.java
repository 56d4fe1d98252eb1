package io.delayjob.internal.dispatch;

import java.time.Duration;

/**
 * How many jobs dispatch keeps in memory.
 *
 * @param maxReady maximum number of rows kept ready, over all lanes; and of claimed jobs without a slot
 * @param sweepInterval how long a backlog in memory has to last
 */
public record Bounds(int maxReady, Duration sweepInterval) {}
