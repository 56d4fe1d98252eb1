package io.delayjob.internal.lead;

import io.delayjob.lease.LeaseProvider;
import java.time.Duration;

/** @param duration how long a lease lasts if it is not renewed */
public record LeaseTerms(LeaseProvider provider, Duration duration) {}
