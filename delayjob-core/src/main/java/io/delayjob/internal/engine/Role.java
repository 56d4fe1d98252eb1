package io.delayjob.internal.engine;

/**
 * The background roles of an engine, in the order in which they start. The roles stop in the reverse order. {@link
 * #HEARTBEAT} and {@link #GROUPS} also run on instances that only schedule. All other roles run on workers only.
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
