/**
 * Passes each job from its due time to a slot. Due rows arrive through {@link io.delayjob.internal.dispatch.Intake},
 * and wait in {@link io.delayjob.internal.dispatch.Lanes}. A {@link io.delayjob.internal.dispatch.Claimer} claims rows
 * in batches. When a claimed job is due ({@link io.delayjob.internal.dispatch.Later}) and a slot is free, the package
 * {@code attempt} gets the job.
 */
@NullMarked
package io.delayjob.internal.dispatch;

import org.jspecify.annotations.NullMarked;
