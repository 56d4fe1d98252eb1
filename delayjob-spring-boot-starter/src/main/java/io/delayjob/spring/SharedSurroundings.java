package io.delayjob.spring;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;

/**
 * Clock and leases of the engines of all stores, such as those of tests in virtual time. Without a bean of this type,
 * each store has its own.
 *
 * @param clock time of all stores
 * @param leases leases of all stores
 */
public record SharedSurroundings(EngineClock clock, LeaseProvider leases) {}
