package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Answer to a request that was refused. */
record ErrorDescriptor(String reason) implements OperationResponseBody {}
