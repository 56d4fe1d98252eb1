package io.delayjob.job;

import java.time.Instant;

/**
 * One of many jobs that get a new due time.
 *
 * @param due whole milliseconds, in store time
 */
public record JobMove(JobId id, Instant due) {}
