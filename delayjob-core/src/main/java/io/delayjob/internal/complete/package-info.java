/**
 * From the end of an attempt to the row's next state. {@link io.delayjob.job.Transition#after} decides it, the {@link
 * io.delayjob.internal.complete.Completer} writes it in batches, and the token fences it.
 */
@NullMarked
package io.delayjob.internal.complete;

import org.jspecify.annotations.NullMarked;
