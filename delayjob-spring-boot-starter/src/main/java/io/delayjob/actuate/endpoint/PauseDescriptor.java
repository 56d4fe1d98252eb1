package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What was done to a handler or a queue.
 *
 * @param name its name
 * @param result {@code PAUSED} or {@code RESUMED}, whether that was news or not
 */
record PauseDescriptor(String name, String result) implements OperationResponseBody {}
