/**
 * The SPI of leases: a {@link io.delayjob.lease.LeaseProvider} gives one instance at a time the right to read a
 * partition's rows ahead. A lease only makes delayjob faster, and is not needed for correctness. It does not decide
 * which instance runs a job.
 */
@NullMarked
package io.delayjob.lease;

import org.jspecify.annotations.NullMarked;
