package io.delayjob.job;

/**
 * Result of a call that changes many jobs. The result is valid only after the caller's transaction has committed.
 *
 * @param changed the number of jobs that were changed. If the store cannot join the caller's transaction, these jobs
 *     are changed only at the commit
 * @param skipped number of matching jobs that could not be changed. Either another caller changed the job first, or an
 *     unfinished job has the same key
 */
public record BulkResult(long changed, long skipped) {}
