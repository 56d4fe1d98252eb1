package io.delayjob.internal.engine;

/**
 * Names the background tasks (roles) of an engine. The tasks start in this order, and stop in the reverse order. The
 * tasks {@link #HEARTBEAT} and {@link #GROUPS} also run on instances that only schedule. All other tasks run only on
 * instances that run jobs.
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
