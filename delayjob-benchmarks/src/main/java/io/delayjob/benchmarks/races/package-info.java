/**
 * Races between threads that use the timing wheel. The tool jcstress repeats each race millions of times, on the real
 * memory of this machine. A model checker assumes that memory is ordered, so it cannot replace these races.
 * {@link io.delayjob.benchmarks.races.WheelRaces} runs the races.
 */
@NullMarked
package io.delayjob.benchmarks.races;

import org.jspecify.annotations.NullMarked;
