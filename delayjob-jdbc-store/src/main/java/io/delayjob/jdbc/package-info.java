/**
 * The job store in the application's own relational database: {@link io.delayjob.jdbc.JdbcJobStore} writes a job within
 * the transaction of whoever schedules it. A class for each kind of transition stands behind it ({@code Submission},
 * {@code ByHand}, {@code DuePages}, {@code ClaimedRows}, {@code CompletedRows}, {@code Endings}, {@code
 * HistoryPurge}); the
 * statements themselves are a {@link io.delayjob.jdbc.dialect.Dialect}'s.
 */
@NullMarked
package io.delayjob.jdbc;

import org.jspecify.annotations.NullMarked;
