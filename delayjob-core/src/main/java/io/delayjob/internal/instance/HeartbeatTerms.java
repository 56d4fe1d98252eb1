package io.delayjob.internal.instance;

import java.time.Duration;

/**
 * The timing of heartbeats between instances.
 *
 * @param heartbeat the pause between two heartbeats
 * @param liveness the time without a heartbeat after which other instances remove an instance
 */
public record HeartbeatTerms(Duration heartbeat, Duration liveness) {}
