package io.delayjob.status;

/**
 * Says how many slots a queue has on this instance, and how many of them are taken. In the store, the jobs that are
 * counted as active or as claimed are all {@link io.delayjob.job.JobState#RUNNING}.
 *
 * @param active number of slots taken by attempts
 * @param claimed number of claimed jobs that wait for a slot, or that are due within a few milliseconds
 * @param max number of slots
 */
public record SlotUse(int active, int claimed, int max) {}
