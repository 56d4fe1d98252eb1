/**
 * The vocabulary of delayjob, immutable: what a job is ({@link io.delayjob.job.Job}, in four parts), which states it
 * passes through, what changing it answers, and the one function that decides its next state,
 * {@link io.delayjob.job.Transition#after}.
 */
@NullMarked
package io.delayjob.job;

import org.jspecify.annotations.NullMarked;
