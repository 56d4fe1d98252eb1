package io.delayjob.test;

/**
 * Receives the exceptions that agents throw in virtual time. Agents are the background tasks of an engine. A failed
 * agent is called again after a pause. If the method {@link #failed} throws an exception or error, the call of {@link
 * VirtualTime#advance} ends with this exception or error.
 */
@FunctionalInterface
public interface AgentFailures {

    /** Makes the test fail. */
    AgentFailures FAIL_TEST = (role, failure) -> {
        throw new AssertionError("Agent '%s' failed: %s".formatted(role, failure), failure);
    };

    /** Ignores failures, for tests of outages. */
    AgentFailures IGNORE = (role, failure) -> {};

    /**
     * Receives the exception of an agent.
     *
     * @param role the {@linkplain io.delayjob.time.Agent#roleName() role} of the agent
     */
    void failed(String role, RuntimeException failure);
}
