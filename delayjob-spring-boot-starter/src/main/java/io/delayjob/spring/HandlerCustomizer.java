package io.delayjob.spring;

import io.delayjob.handler.Handler;

/**
 * Changes the handlers of annotated methods before they are registered: beans of this type are asked in their order.
 * Called at start, on one thread.
 */
@FunctionalInterface
public interface HandlerCustomizer {

    /** The handler to register in place of {@code handler}: itself, or a changed copy of the same name. */
    Handler customize(Handler handler);
}
