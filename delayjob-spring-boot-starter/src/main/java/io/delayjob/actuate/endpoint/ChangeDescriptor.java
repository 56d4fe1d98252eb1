package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a call that changes one job.
 *
 * @param result the name of a {@link io.delayjob.job.CancelResult} or a {@link io.delayjob.job.ChangeResult}
 */
record ChangeDescriptor(String id, String result) implements OperationResponseBody {}
