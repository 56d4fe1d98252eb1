/**
 * Writes the end of an attempt. {@link io.delayjob.job.Transition#after} decides the row's next state. {@link
 * io.delayjob.internal.complete.Completer} writes it in batches. The token protects the row from a late write.
 */
@NullMarked
package io.delayjob.internal.complete;

import org.jspecify.annotations.NullMarked;
