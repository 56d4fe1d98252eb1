/**
 * This instance among the others: {@link io.delayjob.internal.instance.Membership} registers it, sends its
 * heartbeats, watches for silent instances, and passes on pauses and cancellations.
 */
@NullMarked
package io.delayjob.internal.instance;

import org.jspecify.annotations.NullMarked;
