package io.delayjob.spring;

import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;

/**
 * The threads of the engine. The type exists because beans of type {@link Executor} would replace the application's own
 * executor.
 *
 * @param agents the runner of the background roles
 * @param workers the executor of the handlers; the engine limits how many run at a time
 * @param stopping the executor of the task that stops the engine
 */
public record DelayJobThreads(AgentRunner agents, Executor workers, Executor stopping) {}
