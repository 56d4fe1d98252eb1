/**
 * Uses locks of ShedLock as the leases of partitions, with any store. If an instance holds the lock of a partition, it
 * is the leader of that partition. {@link io.delayjob.shedlock.ShedLockLeaseProvider} accepts any lock provider of
 * ShedLock.
 */
@NullMarked
package io.delayjob.shedlock;

import org.jspecify.annotations.NullMarked;
