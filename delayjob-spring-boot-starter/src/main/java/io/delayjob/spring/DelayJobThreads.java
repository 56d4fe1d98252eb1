package io.delayjob.spring;

import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;

/**
 * The hands that work for the engine. One bean for all of them, because a bean of type {@link Executor} would take the
 * place of the application's own.
 *
 * @param agents calls the background roles
 * @param workers where handlers are called; how many at a time is the engine's business
 * @param stopping where the engine is stopped, so that other parts of the application can stop at the same time
 */
public record DelayJobThreads(AgentRunner agents, Executor workers, Executor stopping) {}
