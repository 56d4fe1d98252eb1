package io.delayjob.actuate.endpoint;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Result of pausing or resuming a handler or a queue.
 *
 * @param result {@code PAUSED} or {@code RESUMED}, even if the call changed nothing
 */
record PauseDescriptor(String name, String result, Set<String> notHeardBy) implements OperationResponseBody {}
