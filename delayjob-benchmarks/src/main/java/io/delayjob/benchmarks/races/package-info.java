/**
 * The wheel's races under jcstress, repeated millions of times on the real memory model of this machine. A model
 * checker cannot show this, because it tries interleavings one by one but assumes ordered memory. {@link
 * io.delayjob.benchmarks.races.WheelRaces} runs them.
 */
@NullMarked
package io.delayjob.benchmarks.races;

import org.jspecify.annotations.NullMarked;
