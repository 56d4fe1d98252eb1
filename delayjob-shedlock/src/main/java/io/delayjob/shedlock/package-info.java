/**
 * Leases through ShedLock, for any store. The instance that holds a partition's lock leads that partition. {@link
 * io.delayjob.shedlock.ShedLockLeaseProvider} takes any of ShedLock's lock providers.
 */
@NullMarked
package io.delayjob.shedlock;

import org.jspecify.annotations.NullMarked;
