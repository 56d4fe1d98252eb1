package io.delayjob.time;

/**
 * A background role, written as a duty cycle: it never waits, it says when it wants to be called again. What runs it, a
 * thread of its own or virtual time, is an {@link AgentRunner}'s business. Only one {@code doWork} of an agent is under
 * way at a time.
 */
public interface Agent {

    /** Returned by {@link #doWork()}: nothing to do until woken. */
    long UNTIL_WOKEN = Long.MAX_VALUE;

    /** The role in a word or two, as it shows in thread names and logs. */
    String roleName();

    /**
     * Does what is due now.
     *
     * @return nanoseconds until the agent wants to be called again; 0 or less for at once, {@link #UNTIL_WOKEN} for not
     *     before {@link AgentHandle#wake()}
     * @throws RuntimeException when it failed; the runner reports it and calls again after a growing pause
     */
    long doWork();
}
