/**
 * The vocabulary of delayjob, immutable: what a job is, which states it passes through, what changing it answers, and
 * the one function that decides its next state, {@link io.delayjob.job.Transition#after}. Beside it the ports through
 * which stations hand rows on without knowing each other: {@link io.delayjob.job.DueSink}, {@link
 * io.delayjob.job.DueIntake} and {@link io.delayjob.job.Capacity}.
 */
@NullMarked
package io.delayjob.job;

import org.jspecify.annotations.NullMarked;
