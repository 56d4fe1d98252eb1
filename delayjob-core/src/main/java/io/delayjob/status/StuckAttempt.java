package io.delayjob.status;

import io.delayjob.job.JobId;
import java.time.Duration;

/**
 * An attempt that did not end after its timeout and interruption. It counts as failed, but still takes its slot.
 *
 * @param name the name under which the job was stored
 * @param lasting the time since the attempt began
 */
public record StuckAttempt(JobId job, String name, int run, int attempt, Duration lasting) {}
