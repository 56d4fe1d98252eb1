package io.delayjob.spring;

import io.delayjob.handler.Handler;

/**
 * Changes handlers before they are registered. Beans of this type are called in their order, at start, on one thread.
 */
@FunctionalInterface
public interface HandlerCustomizer {

    /** Returns the same handler, or a changed copy with the same name. */
    Handler customize(Handler handler);
}
