package io.delayjob.internal.instance;

import java.time.Duration;

/**
 * How instances tell each other that they live.
 *
 * @param heartbeat pause between two heartbeats
 * @param liveness how long an instance may be silent before it is given up
 */
public record HeartbeatTerms(Duration heartbeat, Duration liveness) {}
