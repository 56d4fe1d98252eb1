/**
 * The vocabulary of delayjob, immutable: a job ({@link io.delayjob.job.Job}, in four parts), its states, the results of
 * changes, and the one function that decides its next state, {@link io.delayjob.job.Transition#after}.
 */
@NullMarked
package io.delayjob.job;

import org.jspecify.annotations.NullMarked;
