/**
 * Writes the outcomes of attempts. {@link io.delayjob.job.Transition#after} decides the row's next state. {@link
 * io.delayjob.internal.complete.Completer} writes these states in batches. The token of a row protects the row from a
 * late write.
 */
@NullMarked
package io.delayjob.internal.complete;

import org.jspecify.annotations.NullMarked;
