package io.delayjob.time;

/**
 * A background role of the engine. It never waits. Instead, {@link #doWork} returns when it must be called again. An
 * {@link AgentRunner} calls it, on its own thread or in virtual time. Calls of {@code doWork} of one agent never
 * overlap.
 */
public interface Agent {

    /** Result of {@link #doWork()} if there is nothing to do until the agent is woken. */
    long UNTIL_WOKEN = Long.MAX_VALUE;

    /** Returns the name of the role in a word or two, for thread names and logs. */
    String roleName();

    /**
     * Does the work that is due now.
     *
     * @return nanoseconds until the agent must be called again; 0 or less means at once, {@link #UNTIL_WOKEN} means not
     *     before {@link AgentHandle#wake()}
     * @throws RuntimeException when the work failed; the runner reports the exception and calls the agent again after a
     *     growing pause
     */
    long doWork();
}
