/**
 * Calls the handlers of jobs that have a slot. {@link io.delayjob.internal.attempt.Attempts} receives each claimed job
 * that has a slot as an {@link io.delayjob.internal.attempt.Assignment}. The {@link io.delayjob.internal.attempt.Judge}
 * decides about the job before the handler is called. {@link io.delayjob.internal.attempt.UnderWay} interrupts attempts
 * that take too long. {@link io.delayjob.internal.attempt.AnswerJudge} decides about answers from outside by the same
 * rules.
 */
@NullMarked
package io.delayjob.internal.attempt;

import org.jspecify.annotations.NullMarked;
