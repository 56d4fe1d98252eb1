package io.delayjob.spring;

import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;

/**
 * The threads of the engine. A bean of type {@link Executor} would replace the application's own executor, so the
 * threads are in a bean of this type.
 *
 * @param agents runs the background roles
 * @param workers runs handlers; the engine limits how many run at a time
 * @param stopping runs the stop of the engine, so that other parts of the application can stop at the same time
 */
public record DelayJobThreads(AgentRunner agents, Executor workers, Executor stopping) {}
