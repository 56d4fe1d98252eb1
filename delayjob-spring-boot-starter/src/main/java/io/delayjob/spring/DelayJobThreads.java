package io.delayjob.spring;

import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;

/**
 * The threads of the engine. They are no beans of type {@link Executor}, because such beans would replace the
 * application's own executor.
 *
 * @param agents runs the background roles
 * @param workers runs handlers; the engine limits how many run at a time
 * @param stopping runs the stop of the engine, while other parts of the application stop
 */
public record DelayJobThreads(AgentRunner agents, Executor workers, Executor stopping) {}
