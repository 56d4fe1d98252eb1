/**
 * Races between threads that use the wheel. jcstress repeats each of them millions of times, on the real memory of this
 * machine. A model checker cannot replace this, because it tries all interleavings but assumes that memory is ordered.
 * {@link io.delayjob.benchmarks.races.WheelRaces} runs them.
 */
@NullMarked
package io.delayjob.benchmarks.races;

import org.jspecify.annotations.NullMarked;
