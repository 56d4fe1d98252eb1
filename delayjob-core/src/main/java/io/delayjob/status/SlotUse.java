package io.delayjob.status;

/**
 * Contains the numbers of the worker slots of a queue on this instance. The jobs counted as active and as claimed are
 * all {@link io.delayjob.job.JobState#RUNNING} in the store.
 *
 * @param active number of slots taken by attempts
 * @param claimed number of claimed jobs that wait for a slot, or that are due within a few milliseconds
 * @param max number of slots
 */
public record SlotUse(int active, int claimed, int max) {}
