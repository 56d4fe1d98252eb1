package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Answer to a request that was refused.
 *
 * @param reason the reason in one sentence
 */
record ErrorDescriptor(String reason) implements OperationResponseBody {}
