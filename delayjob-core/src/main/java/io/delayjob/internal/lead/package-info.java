/**
 * Decides which instance is the leader of a partition, and until when. {@link io.delayjob.internal.lead.LeaseKeeper}
 * acquires and renews this instance's share of the leases.
 */
@NullMarked
package io.delayjob.internal.lead;

import org.jspecify.annotations.NullMarked;
