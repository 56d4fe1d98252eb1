package io.delayjob.internal.lead;

import io.delayjob.lease.LeaseProvider;
import java.time.Duration;

/**
 * How partitions are leased.
 *
 * @param provider grants a lease for each partition, by the partition's name
 * @param duration how long a lease lasts without renewal
 */
public record LeaseTerms(LeaseProvider provider, Duration duration) {}
