package io.delayjob.spring;

import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;

/**
 * The threads of the engine. The type exists because beans of type {@link Executor} would replace the application's own
 * executor.
 *
 * @param agents runs the background roles
 * @param workers runs handlers; the engine limits how many run at a time
 * @param stopping runs the task that stops the engine
 */
public record DelayJobThreads(AgentRunner agents, Executor workers, Executor stopping) {}
