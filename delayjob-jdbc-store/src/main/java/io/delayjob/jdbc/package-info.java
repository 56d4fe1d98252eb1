/**
 * The job store in the application's own relational database. {@link io.delayjob.jdbc.JdbcJobStore} writes a job within
 * the transaction of the code that schedules it. The package has a class for each kind of call. The statements come
 * from a {@code Dialect}.
 */
@NullMarked
package io.delayjob.jdbc;

import org.jspecify.annotations.NullMarked;
