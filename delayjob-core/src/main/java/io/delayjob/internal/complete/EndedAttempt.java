package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import java.time.Duration;

/**
 * An attempt that has ended, and whose end is not written yet.
 *
 * @param completion the end to write
 * @param took the time from the handler's call to its end
 */
public record EndedAttempt(Completion completion, Duration took) {}
