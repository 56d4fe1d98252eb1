package io.delayjob.status;

/**
 * The worker slots of a queue on this instance. Active and claimed jobs are all {@link
 * io.delayjob.job.JobState#RUNNING} in the store.
 *
 * @param active number of slots taken by attempts
 * @param claimed number of claimed jobs that wait for a slot, or for their due time in a few milliseconds
 * @param max number of slots
 */
public record SlotUse(int active, int claimed, int max) {}
