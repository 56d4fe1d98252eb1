/**
 * The membership of the cluster: {@link io.delayjob.internal.instance.Membership} registers this instance, sends its
 * heartbeats, finds silent instances, and passes on pauses and cancellations.
 */
@NullMarked
package io.delayjob.internal.instance;

import org.jspecify.annotations.NullMarked;
