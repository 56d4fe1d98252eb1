package io.delayjob.time;

/** Calls agents, each on its own thread. In virtual time, it calls all of them on the test's thread. Thread-safe. */
public interface AgentRunner {

    /** Starts to call the agent: the first time at once, and later at the times that the agent returns. */
    AgentHandle start(Agent agent);
}
