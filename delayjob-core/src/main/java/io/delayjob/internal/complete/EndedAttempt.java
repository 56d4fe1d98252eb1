package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import java.time.Duration;

/**
 * An attempt that has ended, with an outcome that is not written yet.
 *
 * @param took time that the handler ran
 */
public record EndedAttempt(Completion completion, Duration took) {}
