package io.delayjob.time;

/**
 * Calls agents; each agent has its own thread. In virtual time, the runner calls all agents on the test's thread.
 * Thread-safe.
 */
public interface AgentRunner {

    /**
     * Starts to call the agent. The first call follows at once. The return value of each call says when the next call
     * follows.
     */
    AgentHandle start(Agent agent);
}
