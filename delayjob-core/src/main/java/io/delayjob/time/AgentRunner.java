package io.delayjob.time;

/** Calls agents, each on its own thread. In virtual time, the test's thread calls all agents. Thread-safe. */
public interface AgentRunner {

    /**
     * Starts to call the agent; the first call follows at once. The result of each call says when the next call
     * follows.
     */
    AgentHandle start(Agent agent);
}
