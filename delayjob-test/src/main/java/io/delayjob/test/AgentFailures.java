package io.delayjob.test;

/**
 * Receives the exceptions of agents in virtual time. The agent is called again after a pause, unless this method throws
 * an exception.
 */
@FunctionalInterface
public interface AgentFailures {

    /** Ends the test, for tests in which no agent should fail. */
    AgentFailures FAIL_TEST = (role, failure) -> {
        throw new AssertionError("Agent '%s' failed: %s".formatted(role, failure), failure);
    };

    /** Ignores failures, for tests of outages. */
    AgentFailures IGNORE = (role, failure) -> {};

    /**
     * Called when an agent has failed.
     *
     * @param role its {@linkplain io.delayjob.time.Agent#roleName() role}
     */
    void failed(String role, RuntimeException failure);
}
