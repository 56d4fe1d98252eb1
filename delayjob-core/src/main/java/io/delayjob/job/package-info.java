/**
 * The immutable types that describe jobs: {@link io.delayjob.job.Job}, its states, and the results of changes to jobs.
 * {@link io.delayjob.job.Transition#after} decides a job's next state.
 */
@NullMarked
package io.delayjob.job;

import org.jspecify.annotations.NullMarked;
