/**
 * From the table to the wheel: {@link io.delayjob.internal.preload.WindowReader} reads what comes due soon in the partitions led
 * here, {@link io.delayjob.internal.preload.Sweeper} finds whatever is overdue, and {@link io.delayjob.internal.preload.WaitingRows}
 * keeps both until their millisecond.
 */
@NullMarked
package io.delayjob.internal.preload;

import org.jspecify.annotations.NullMarked;
