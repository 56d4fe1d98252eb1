package io.delayjob.time;

/**
 * Does a background task of the engine. An agent never blocks to wait for a time or an event. Instead, {@link #doWork}
 * returns the time until its next call. An {@link AgentRunner} calls the agent. The calls of {@code doWork} never
 * overlap.
 */
public interface Agent {

    /** Result of {@link #doWork()} if there is nothing to do until the agent is woken. */
    long UNTIL_WOKEN = Long.MAX_VALUE;

    /** Returns the name of the task in a word or two, for thread names and logs. */
    String roleName();

    /**
     * Does the work that is due at present.
     *
     * @return nanoseconds until the next call. Zero or less means that the next call follows without a pause. {@link
     *     #UNTIL_WOKEN} means that the next call follows only after {@link AgentHandle#wake()}
     * @throws RuntimeException if the work failed; the runner reports it and calls the agent again after a growing
     *     pause
     */
    long doWork();
}
