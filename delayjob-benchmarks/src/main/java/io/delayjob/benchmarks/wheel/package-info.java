/** Compares the timing wheel with the timers of other JVM libraries, in the same run. */
@NullMarked
package io.delayjob.benchmarks.wheel;

import org.jspecify.annotations.NullMarked;
