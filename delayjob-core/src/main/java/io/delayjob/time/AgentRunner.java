package io.delayjob.time;

/** Calls agents: each on a thread of its own, or all on the test's thread in virtual time. Thread-safe. */
public interface AgentRunner {

    /** Starts to call the agent: at once, and then when the agent wants it. */
    AgentHandle start(Agent agent);
}
