/** Leases in the job database: {@link io.delayjob.jdbc.lease.JdbcLeases}. */
@NullMarked
package io.delayjob.jdbc.lease;

import org.jspecify.annotations.NullMarked;
