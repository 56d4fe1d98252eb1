/**
 * Passes each job from its due time to a slot. Due rows arrive through {@link io.delayjob.internal.dispatch.Intake},
 * and wait in a lane of {@link io.delayjob.internal.dispatch.Lanes}. A {@link io.delayjob.internal.dispatch.Claimer}
 * claims rows in batches. When a claimed job is due ({@link io.delayjob.internal.dispatch.Later}) and a slot is free,
 * the job is passed to the package {@code attempt}.
 */
@NullMarked
package io.delayjob.internal.dispatch;

import org.jspecify.annotations.NullMarked;
