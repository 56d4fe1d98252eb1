/**
 * From the table to the wheel. {@link io.delayjob.internal.preload.WindowReader} reads rows that become due soon in
 * the partitions led here. {@link io.delayjob.internal.preload.Sweeper} finds every overdue row. {@link
 * io.delayjob.internal.preload.WaitingRows} keeps rows until they are due.
 */
@NullMarked
package io.delayjob.internal.preload;

import org.jspecify.annotations.NullMarked;
