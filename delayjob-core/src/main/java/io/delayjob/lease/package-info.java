/**
 * Who leads a partition, and until when: {@link io.delayjob.lease.LeaseKeeper} takes and keeps this instance's share
 * through a {@link io.delayjob.lease.LeaseProvider}. A lease gives speed, never safety: it decides who preloads, not
 * who runs.
 */
@NullMarked
package io.delayjob.lease;

import org.jspecify.annotations.NullMarked;
