/**
 * Measures the whole path of a job through a real database. {@link io.delayjob.benchmarks.durable.LatenessBenchmark}
 * measures how late jobs start. {@link io.delayjob.benchmarks.durable.DrainBenchmark} measures how fast an engine works
 * off due jobs. {@link io.delayjob.benchmarks.durable.BacklogBenchmark} shows that overdue jobs need only a limited
 * amount of memory. {@link io.delayjob.benchmarks.durable.PoisonBenchmark} shows that jobs that cannot run do not delay
 * other jobs. {@link io.delayjob.benchmarks.durable.Comparison} gives the same work to other libraries.
 */
@NullMarked
package io.delayjob.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
