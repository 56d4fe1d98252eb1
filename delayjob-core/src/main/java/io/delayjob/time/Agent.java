package io.delayjob.time;

/**
 * A background role, written as a duty cycle: it never waits, and says when it wants to be called again. An {@link
 * AgentRunner} decides how to call it: on its own thread, or in virtual time. Only one {@code doWork} of an agent is
 * under way at a time.
 */
public interface Agent {

    /** Result of {@link #doWork()} if there is nothing to do until the agent is woken. */
    long UNTIL_WOKEN = Long.MAX_VALUE;

    /** Returns the role in a word or two, for thread names and logs. */
    String roleName();

    /**
     * Does the work that is due now.
     *
     * @return nanoseconds until the agent wants to be called again; 0 or less means at once, {@link #UNTIL_WOKEN}
     *     means not before {@link AgentHandle#wake()}
     * @throws RuntimeException when the work failed; the runner reports it and calls again after a growing pause
     */
    long doWork();
}
