package io.delayjob.job;

/**
 * Result of changing many jobs. Valid once the caller's transaction commits.
 *
 * @param changed the number of jobs that were changed, or are to be changed by the commit of a transaction that the store
 *     cannot join
 * @param skipped the number of jobs that matched but could not be changed: another caller was quicker, or an
 *     unfinished job has taken the key
 */
public record BulkResult(long changed, long skipped) {}
