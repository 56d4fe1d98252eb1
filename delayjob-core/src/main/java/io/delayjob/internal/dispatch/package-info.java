/**
 * Brings each job from its due time to a slot. Due rows come in through {@link io.delayjob.internal.dispatch.Intake},
 * and wait in a lane of {@link io.delayjob.internal.dispatch.Lanes}. A {@link io.delayjob.internal.dispatch.Claimer}
 * claims them in batches. When its time has come ({@link io.delayjob.internal.dispatch.Later}) and a slot is free, each
 * claimed job is assigned to {@code attempt}.
 */
@NullMarked
package io.delayjob.internal.dispatch;

import org.jspecify.annotations.NullMarked;
