/**
 * Timers in memory, for millions of tasks: {@link io.delayjob.wheel.TimingWheel} runs each task at its time. This
 * package can be used without the rest of the library.
 */
@NullMarked
package io.delayjob.wheel;

import org.jspecify.annotations.NullMarked;
