/**
 * Keeps the tables in order. {@link io.delayjob.internal.maintain.Rescuer} brings back attempts that were lost with
 * their instance. {@link io.delayjob.internal.maintain.Retention} deletes old history. {@link
 * io.delayjob.internal.maintain.UnhandledJobs} warns of jobs that no instance handles.
 */
@NullMarked
package io.delayjob.internal.maintain;

import org.jspecify.annotations.NullMarked;
