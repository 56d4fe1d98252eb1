/**
 * Reads rows from the store into the timing wheel. {@link io.delayjob.internal.preload.WindowReader} reads rows that
 * are due soon, in the partitions that this instance leads. {@link io.delayjob.internal.preload.Sweeper} finds every
 * overdue row. {@link io.delayjob.internal.preload.Scout} finds rows that come after very many rows of one fair key.
 * {@link io.delayjob.internal.preload.WaitingRows} keeps rows until they are due.
 */
@NullMarked
package io.delayjob.internal.preload;

import org.jspecify.annotations.NullMarked;
