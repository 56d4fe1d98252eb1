package io.delayjob.internal.instance;

import java.time.Duration;

/**
 * The timing of heartbeats between instances.
 *
 * @param heartbeat the pause between two heartbeats
 * @param liveness the time for which an instance may be silent before the others remove it
 */
public record HeartbeatTerms(Duration heartbeat, Duration liveness) {}
