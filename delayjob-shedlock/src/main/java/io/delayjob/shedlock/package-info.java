/**
 * Leases through ShedLock, for any store: the holder of a partition's lock leads it. {@link
 * io.delayjob.shedlock.ShedLockLeaseProvider} takes any of ShedLock's lock providers.
 */
@NullMarked
package io.delayjob.shedlock;

import org.jspecify.annotations.NullMarked;
