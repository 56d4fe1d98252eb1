/**
 * The wheel's races under jcstress, millions of times on the real memory model of this machine: what a model checker,
 * which tries interleavings one by one but takes memory to be in order, cannot show. {@link
 * io.delayjob.benchmarks.races.WheelRaces} runs them.
 */
@NullMarked
package io.delayjob.benchmarks.races;

import org.jspecify.annotations.NullMarked;
