package io.delayjob.internal.engine;

/**
 * Names the background tasks of an engine. The tasks start in this order, and stop in the reverse order. Instances that
 * only schedule have only {@link #HEARTBEAT}, {@link #GROUPS} and {@link #STATISTICS}.
 */
enum Role {
    HEARTBEAT,
    COMPLETE,
    TIMEOUT,
    CLAIM_PROMPT,
    CLAIM_BACKLOG,
    WHEEL,
    LEASE,
    LIMITS,
    WINDOW,
    SWEEP,
    SCOUT,
    ADOPT,
    RESCUE,
    RETENTION,
    UNHANDLED,
    GROUPS,
    STATISTICS
}
