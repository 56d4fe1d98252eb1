package io.delayjob.internal.instance;

import java.time.Duration;

/**
 * Contains the times for the heartbeats of instances.
 *
 * @param heartbeat the pause between two heartbeats
 * @param liveness the time after which other instances remove an instance that sends no heartbeat
 */
public record HeartbeatTerms(Duration heartbeat, Duration liveness) {}
