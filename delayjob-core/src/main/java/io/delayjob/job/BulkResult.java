package io.delayjob.job;

/**
 * Result of a call that changes many jobs. The result is valid only after the caller's transaction has committed.
 *
 * @param changed number of changed jobs. If the store cannot join the caller's transaction, the jobs are changed at the
 *     commit
 * @param skipped number of matching jobs that could not be changed
 */
public record BulkResult(long changed, long skipped) {}
