/**
 * From the end of an attempt to the row's next state: decided by {@link io.delayjob.job.Transition#after}, written in
 * batches by the {@link io.delayjob.internal.complete.Completer}, fenced by the token.
 */
@NullMarked
package io.delayjob.internal.complete;

import org.jspecify.annotations.NullMarked;
