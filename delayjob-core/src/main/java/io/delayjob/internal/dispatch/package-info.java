/**
 * From due to called. Due rows come in through {@link io.delayjob.internal.dispatch.Intake}, get one ticket each, and wait in a
 * lane of {@link io.delayjob.internal.dispatch.Lanes} for each handler and queue. A {@link io.delayjob.internal.dispatch.Claimer} claims
 * them in batches, as long ahead as {@link io.delayjob.internal.dispatch.ClaimLead} says. When its time has come ({@link
 * io.delayjob.internal.dispatch.Later}) each claimed job becomes an attempt of {@link io.delayjob.internal.dispatch.Attempts} on a
 * worker: the {@link io.delayjob.internal.dispatch.Judge} says what is to be done, the handler is called, and the {@link
 * io.delayjob.internal.dispatch.Recorder} hands its end to {@code complete}.
 */
@NullMarked
package io.delayjob.internal.dispatch;

import org.jspecify.annotations.NullMarked;
