/**
 * From due to called: due rows gather per handler in {@link io.delayjob.dispatch.Lanes}, are claimed in batches by the
 * {@link io.delayjob.dispatch.Claimer}, as long ahead as {@link io.delayjob.dispatch.ClaimLead} says, and when its time has come
 * ({@link io.delayjob.dispatch.ComingJobs}) each becomes an attempt of {@link io.delayjob.dispatch.Attempts} on a
 * worker, which calls the handler, watches over its time, and hands its end to {@code complete}.
 */
@NullMarked
package io.delayjob.dispatch;

import org.jspecify.annotations.NullMarked;
