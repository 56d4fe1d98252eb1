package io.delayjob.job;

/**
 * Result of changing many jobs. Valid once the caller's transaction commits.
 *
 * @param changed the number of jobs that were changed or, if the store cannot join the caller's transaction, will be
 *     changed at the commit
 * @param skipped the number of matching jobs that could not be changed, because another caller was faster or an
 *     unfinished job has taken the key
 */
public record BulkResult(long changed, long skipped) {}
