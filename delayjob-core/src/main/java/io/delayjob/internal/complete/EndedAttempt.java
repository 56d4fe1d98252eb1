package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import java.time.Duration;

/** An attempt that has ended, with an outcome that is not written yet. */
public record EndedAttempt(Completion completion, Duration took) {}
