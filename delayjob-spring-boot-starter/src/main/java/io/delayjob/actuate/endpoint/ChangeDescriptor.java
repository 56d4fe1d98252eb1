package io.delayjob.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Result of a change of one job.
 *
 * @param id id of the job
 * @param result a {@link io.delayjob.job.CancelResult} or {@link io.delayjob.job.ChangeResult}
 */
record ChangeDescriptor(String id, String result) implements OperationResponseBody {}
