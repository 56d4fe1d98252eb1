package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import java.time.Duration;

/**
 * Contains an attempt that has ended. The outcome of the attempt is not written yet.
 *
 * @param completion the outcome that must be written
 * @param took time from the call to the handler until the handler returned
 */
public record EndedAttempt(Completion completion, Duration took) {}
