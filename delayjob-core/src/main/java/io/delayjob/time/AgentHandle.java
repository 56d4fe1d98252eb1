package io.delayjob.time;

/** A started {@link Agent}. Thread-safe. */
public interface AgentHandle {

    /** Makes the agent run soon, even if it wanted to pause for longer. Cheap, never blocks, never lost. */
    void wake();

    /** Ends the agent after the call under way, and waits for that call. May be called more than once. */
    void stop();
}
