package io.delayjob.spring;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;

/**
 * The clock and the leases that all stores share, for example in tests in virtual time. If there is no bean of this
 * type, each store has its own clock and its own leases.
 *
 * @param clock the clock of all stores
 * @param leases the leases of all stores
 */
public record SharedSurroundings(EngineClock clock, LeaseProvider leases) {}
