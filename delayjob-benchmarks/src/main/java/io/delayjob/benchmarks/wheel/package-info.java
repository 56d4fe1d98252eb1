/** Compares the wheel with the timers of the JVM's libraries, in the same run. */
@NullMarked
package io.delayjob.benchmarks.wheel;

import org.jspecify.annotations.NullMarked;
