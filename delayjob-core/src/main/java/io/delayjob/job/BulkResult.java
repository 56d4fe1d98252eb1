package io.delayjob.job;

/**
 * What changing many jobs came to. Holds once the caller's transaction commits.
 *
 * @param changed number of jobs that were changed
 * @param skipped number of jobs that matched and could not be changed any more, or not yet: somebody else was quicker, or
 *     an unfinished job has taken the key
 */
public record BulkResult(long changed, long skipped) {}
