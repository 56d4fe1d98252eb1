/**
 * This package decides how many attempts the limits of the cluster allow on this instance. {@code Limits} contains a
 * token bucket for each handler and queue with a rate, and the slots of each handler whose concurrency counts in the
 * whole cluster. The leases decide which part of the tokens and slots each instance has. A rate by key is not divided:
 * {@code KeyedRate} has the whole rate of each key about which this instance decides. {@code RunningWatch} reads which
 * running rows of other instances count towards limits.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
