/**
 * Leads jobs from due to called. Due rows come in through {@link io.delayjob.internal.dispatch.Intake}, get one ticket
 * each, and wait in a lane of {@link io.delayjob.internal.dispatch.Lanes} for each handler and queue. A {@link
 * io.delayjob.internal.dispatch.Claimer} claims them in batches, as early as {@link
 * io.delayjob.internal.dispatch.ClaimLead} says. When its time has come ({@link io.delayjob.internal.dispatch.Later}),
 * each claimed job becomes an attempt of {@link io.delayjob.internal.dispatch.Attempts} on a worker. The {@link
 * io.delayjob.internal.dispatch.Judge} gives the verdict, and the handler is called. The {@link
 * io.delayjob.internal.dispatch.Recorder} hands the end of the attempt to {@code complete}.
 */
@NullMarked
package io.delayjob.internal.dispatch;

import org.jspecify.annotations.NullMarked;
