/**
 * Applies the limits of the cluster: how many attempts this instance may start. {@code Limits} contains a token bucket
 * for each rate, and the slots of each handler with a limit in the cluster. The leases decide which part each instance
 * has. {@code RunningWatch} reads the rows of other instances that count towards limits.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
