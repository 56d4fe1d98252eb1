/**
 * This package applies the limits of the cluster: it decides how many attempts this instance may start. {@code Limits}
 * contains a token bucket for each handler and queue with a rate. It also contains the slots of each handler with a
 * limit on its concurrency in the whole cluster. The leases decide which part of the tokens and slots each instance
 * has. A rate by key is not divided: {@code KeyedRate} has the whole rate of each key about which this instance
 * decides. {@code RunningWatch} reads which running rows of other instances count towards limits.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
