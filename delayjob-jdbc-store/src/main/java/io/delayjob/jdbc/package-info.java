/**
 * The job store in the application's own relational database: {@link io.delayjob.jdbc.JdbcJobStore} writes a job within
 * the transaction of whoever schedules it. The statements themselves are a {@link io.delayjob.jdbc.dialect.Dialect}'s.
 */
@NullMarked
package io.delayjob.jdbc;

import org.jspecify.annotations.NullMarked;
