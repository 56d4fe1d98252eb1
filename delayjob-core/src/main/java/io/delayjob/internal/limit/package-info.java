/**
 * How many attempts may start here within a period? {@code Rates} has a token bucket for each handler and queue with a
 * rate. The leases decide which share of a rate an instance has.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
