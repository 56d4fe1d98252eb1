package io.delayjob.status;

/**
 * The slots of a queue on this instance. In the store, active and claimed jobs are both
 * {@link io.delayjob.job.JobState#RUNNING}.
 *
 * @param active number of slots taken by attempts
 * @param claimed number of claimed jobs that wait for a slot, or that are due within a few milliseconds
 * @param max number of slots
 */
public record SlotUse(int active, int claimed, int max) {}
