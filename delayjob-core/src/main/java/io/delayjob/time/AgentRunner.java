package io.delayjob.time;

/** Calls agents: each on a thread of its own, or all on the test's thread in virtual time. Thread-safe. */
public interface AgentRunner {

    /** Starts calling the agent, at once and then as it wishes. */
    AgentHandle start(Agent agent);
}
