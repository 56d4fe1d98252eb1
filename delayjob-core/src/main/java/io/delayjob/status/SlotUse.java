package io.delayjob.status;

/**
 * The worker slots of a queue on this instance. Active and claimed jobs are all {@link io.delayjob.job.JobState#RUNNING}
 * in the store.
 *
 * @param active slots taken by attempts
 * @param claimed jobs that are claimed and wait for a slot, or for the last milliseconds before their time
 * @param max slots there are
 */
public record SlotUse(int active, int claimed, int max) {}
