package io.delayjob.internal.instance;

import java.time.Duration;

/**
 * @param heartbeat the pause between two heartbeats
 * @param liveness if an instance sends no heartbeat for this time, other instances remove it
 */
public record HeartbeatTerms(Duration heartbeat, Duration liveness) {}
