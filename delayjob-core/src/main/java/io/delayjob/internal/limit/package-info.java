/**
 * How many attempts may start here within a period? {@code Rates} has a token bucket for each handler and queue with a
 * rate. Leases deal the rates out to the instances.
 */
@NullMarked
package io.delayjob.internal.limit;

import org.jspecify.annotations.NullMarked;
