/**
 * Timers by the million, in memory: {@link io.delayjob.wheel.TimingWheel} runs tasks at their time. It can be used
 * alone, without the rest of the library.
 */
@NullMarked
package io.delayjob.wheel;

import org.jspecify.annotations.NullMarked;
