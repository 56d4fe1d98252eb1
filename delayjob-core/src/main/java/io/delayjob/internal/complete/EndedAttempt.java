package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import java.time.Duration;

/**
 * An attempt that has ended, and whose outcome is not written yet.
 *
 * @param completion the outcome to write
 * @param took the time from the handler's call to its return
 */
public record EndedAttempt(Completion completion, Duration took) {}
