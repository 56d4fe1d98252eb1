/**
 * The roles that keep the tables in order: {@link io.delayjob.internal.maintain.Rescuer} brings attempts back that were
 * lost with their instance, {@link io.delayjob.internal.maintain.Retention} forgets old history, {@link
 * io.delayjob.internal.maintain.UnhandledJobs} warns of jobs without a handler, {@link
 * io.delayjob.internal.maintain.MinuteWriter} writes what happened in each minute.
 */
@NullMarked
package io.delayjob.internal.maintain;

import org.jspecify.annotations.NullMarked;
