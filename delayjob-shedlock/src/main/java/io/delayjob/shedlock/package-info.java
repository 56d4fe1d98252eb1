/**
 * Uses locks of ShedLock as the leases of partitions, with any store. The instance that holds the lock of a partition
 * is the leader of this partition. {@link io.delayjob.shedlock.ShedLockLeaseProvider} accepts any lock provider of
 * ShedLock.
 */
@NullMarked
package io.delayjob.shedlock;

import org.jspecify.annotations.NullMarked;
