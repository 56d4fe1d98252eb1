package io.delayjob.job;

/**
 * As much of a waiting row as the wheel needs.
 *
 * @param id the job
 * @param partition where the row lies
 * @param name the handler's name
 * @param dueMillis its due time in store time, milliseconds since the epoch
 * @param token the row's token: it stands for one state and one due time
 */
public record DueRow(JobId id, Partition partition, String name, long dueMillis, long token) {}
