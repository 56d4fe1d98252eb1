/**
 * The background tasks that maintain the tables. {@link io.delayjob.internal.maintain.Rescuer} rescues a job if the
 * job's attempt was lost with its instance. {@link io.delayjob.internal.maintain.Retention} deletes old jobs from the
 * history. {@link io.delayjob.internal.maintain.UnhandledJobs} warns of jobs without a handler. {@link
 * io.delayjob.internal.maintain.MinuteWriter} writes the statistics of each minute.
 */
@NullMarked
package io.delayjob.internal.maintain;

import org.jspecify.annotations.NullMarked;
