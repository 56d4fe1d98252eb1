package io.delayjob.job;

import java.time.Instant;

/**
 * A new due time for one of many jobs.
 *
 * @param due the due time in store time, in whole milliseconds
 */
public record JobMove(JobId id, Instant due) {}
