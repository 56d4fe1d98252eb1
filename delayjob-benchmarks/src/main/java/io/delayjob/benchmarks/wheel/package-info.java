/** The wheel beside the timers that the JVM's libraries have, in the same run. */
@NullMarked
package io.delayjob.benchmarks.wheel;

import org.jspecify.annotations.NullMarked;
