/**
 * From due to called. Due rows come in through {@link io.delayjob.dispatch.Intake}, get one ticket each, and wait in a
 * lane of {@link io.delayjob.dispatch.Lanes} for each handler and queue. A {@link io.delayjob.dispatch.Claimer} claims
 * them in batches, as long ahead as {@link io.delayjob.dispatch.ClaimLead} says. When its time has come ({@link
 * io.delayjob.dispatch.ComingJobs}) each claimed job becomes an attempt of {@link io.delayjob.dispatch.Attempts} on a
 * worker: the {@link io.delayjob.dispatch.Judge} says what is to be done, the handler is called, and the {@link
 * io.delayjob.dispatch.Recorder} hands its end to {@code complete}.
 */
@NullMarked
package io.delayjob.dispatch;

import org.jspecify.annotations.NullMarked;
