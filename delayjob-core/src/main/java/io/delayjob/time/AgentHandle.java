package io.delayjob.time;

/** Controls an {@link Agent} that was started. Thread-safe. */
public interface AgentHandle {

    /** Makes the agent run soon, even during its pause. This call is cheap and never blocks. No wake-up is lost. */
    void wake();

    /**
     * Ends the agent after its present call, and waits for the end of that call. This method may be called more than
     * once.
     */
    void stop();
}
