package io.delayjob.time;

/** A started {@link Agent}. Thread-safe. */
public interface AgentHandle {

    /**
     * Makes the agent run soon, even if its pause is not over. This call is cheap, never blocks, and always has an
     * effect.
     */
    void wake();

    /** Ends the agent after the call under way, and waits for that call. May be called more than once. */
    void stop();
}
