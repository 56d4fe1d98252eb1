package io.delayjob.spring;

import io.delayjob.handler.Handler;

/**
 * Changes the handlers of annotated methods, beans and targets before they are registered. Beans of this type are
 * called in their order, at start, on one thread.
 */
@FunctionalInterface
public interface HandlerCustomizer {

    /**
     * Returns the handler to register instead of {@code handler}. The result is the same handler, or a changed copy
     * with the same name.
     */
    Handler customize(Handler handler);
}
