/** Leases over ShedLock: whoever holds the lock of a partition leads it. */
@NullMarked
package io.delayjob.jdbc.lease;

import org.jspecify.annotations.NullMarked;
