/**
 * How many attempts may start here by the limits of the cluster? {@code Limits} has a token bucket for each handler and
 * queue with a rate, and a share of the slots of each handler whose concurrency counts in the cluster. Leases deal both
 * out to the instances. {@code KeyedRate} has the whole rate of the keys about which this instance decides. {@code
 * RunningWatch} reads which rows of other instances use limits up.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
