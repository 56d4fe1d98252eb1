/**
 * What keeps the tables in order: {@link io.delayjob.maintain.Rescuer} brings attempts back that were lost with their
 * instance, {@link io.delayjob.maintain.Retention} forgets old history, {@link io.delayjob.maintain.UnhandledJobs} warns of jobs
 * that nobody handles.
 */
@NullMarked
package io.delayjob.maintain;

import org.jspecify.annotations.NullMarked;
