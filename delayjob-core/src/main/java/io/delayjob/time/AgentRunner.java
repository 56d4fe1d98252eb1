package io.delayjob.time;

/**
 * Calls agents; each agent has its own thread. In virtual time, the runner calls all agents on the test's thread.
 * Thread-safe.
 */
public interface AgentRunner {

    /**
     * Starts to call the agent. The first call follows at once, and each later call at the time that the agent has
     * returned.
     */
    AgentHandle start(Agent agent);
}
