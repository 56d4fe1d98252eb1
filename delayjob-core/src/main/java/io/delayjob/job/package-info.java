/**
 * The vocabulary of delayjob, immutable: jobs, their states, the results of changing them, and the one function that
 * decides a job's next state, {@link io.delayjob.job.Transition#after}.
 */
@NullMarked
package io.delayjob.job;

import org.jspecify.annotations.NullMarked;
