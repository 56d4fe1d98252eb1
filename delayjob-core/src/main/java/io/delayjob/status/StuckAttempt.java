package io.delayjob.status;

import io.delayjob.job.JobId;
import java.time.Duration;

/**
 * An attempt that outlived its time-out and the interruption after it, was written off, and still keeps its slot.
 *
 * @param job whose attempt it is
 * @param name the name the job was stored under
 * @param run its run
 * @param attempt its number
 * @param lasting for how long it has been under way
 */
public record StuckAttempt(JobId job, String name, int run, int attempt, Duration lasting) {}
