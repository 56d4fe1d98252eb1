package io.delayjob.test;

/**
 * Receives the exceptions of agents, which are the background tasks of an engine, in virtual time. If {@link #failed}
 * throws no exception, the agent is called again after a pause.
 */
@FunctionalInterface
public interface AgentFailures {

    /** Ends the test. Use it in tests in which no agent should fail. */
    AgentFailures FAIL_TEST = (role, failure) -> {
        throw new AssertionError("Agent '%s' failed: %s".formatted(role, failure), failure);
    };

    /** Ignores failures. Use it in tests of outages. */
    AgentFailures IGNORE = (role, failure) -> {};

    /**
     * Receives the exception of an agent.
     *
     * @param role its {@linkplain io.delayjob.time.Agent#roleName() role}
     */
    void failed(String role, RuntimeException failure);
}
