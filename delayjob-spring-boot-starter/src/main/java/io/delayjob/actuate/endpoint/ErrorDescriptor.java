package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Why a request was not followed.
 *
 * @param reason in a sentence
 */
record ErrorDescriptor(String reason) implements OperationResponseBody {}
