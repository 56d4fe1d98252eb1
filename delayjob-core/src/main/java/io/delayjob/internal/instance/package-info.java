/**
 * The membership of the cluster. {@link io.delayjob.internal.instance.Membership} registers this instance and sends its
 * heartbeats.
 */
@NullMarked
package io.delayjob.internal.instance;

import org.jspecify.annotations.NullMarked;
