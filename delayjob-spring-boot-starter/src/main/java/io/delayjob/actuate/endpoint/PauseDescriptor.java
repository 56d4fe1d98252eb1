package io.delayjob.actuate.endpoint;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What was done to a handler or a queue.
 *
 * @param name its name
 * @param result {@code PAUSED} or {@code RESUMED}, whether that was news or not
 * @param notHeardBy the instances that have not yet confirmed it
 */
record PauseDescriptor(String name, String result, Set<String> notHeardBy) implements OperationResponseBody {}
