package io.delayjob.actuate.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What one call has changed.
 *
 * @param changed number of jobs that were changed
 * @param skipped number of jobs that matched and were not changed: another caller was quicker, or an unfinished job has
 *     their key
 * @param next what to send as {@code after} to go on; absent if all jobs have been seen
 * @param lookedAt number of rows that were looked at
 */
record BulkDescriptor(int changed, int skipped, @Nullable String next, int lookedAt) implements OperationResponseBody {}
