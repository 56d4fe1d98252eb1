package io.delayjob.job;

import java.time.Instant;

/**
 * A job's id and its new due time, for a call that changes many jobs.
 *
 * @param due the due time in store time, in whole milliseconds
 */
public record JobMove(JobId id, Instant due) {}
