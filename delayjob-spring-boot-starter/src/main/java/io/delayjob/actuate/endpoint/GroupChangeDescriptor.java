package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Result of cancelling a group.
 *
 * @param result {@code CANCELLED}, or {@code ENDED} if the group had ended before
 * @param changed number of cancelled members, plus running members that get no further attempt
 */
record GroupChangeDescriptor(String name, String result, long changed) implements OperationResponseBody {}
