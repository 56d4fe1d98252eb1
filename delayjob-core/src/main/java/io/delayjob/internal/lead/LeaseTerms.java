package io.delayjob.internal.lead;

import io.delayjob.lease.LeaseProvider;
import java.time.Duration;

/**
 * Contains the provider and the duration of partition leases.
 *
 * @param provider the provider that grants a lease for each partition, by the partition's name
 * @param duration how long a lease lasts if it is not renewed
 */
public record LeaseTerms(LeaseProvider provider, Duration duration) {}
