/**
 * From the table to the wheel: {@link io.delayjob.preload.WindowReader} reads what comes due soon in the partitions led
 * here, {@link io.delayjob.preload.Sweeper} finds whatever is overdue, and {@link io.delayjob.preload.WaitingRows}
 * keeps both until their millisecond.
 */
@NullMarked
package io.delayjob.preload;

import org.jspecify.annotations.NullMarked;
