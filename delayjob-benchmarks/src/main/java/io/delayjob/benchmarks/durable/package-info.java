/**
 * Measurements of a job's whole path through a real database. {@link io.delayjob.benchmarks.durable.LatenessBenchmark}
 * measures how late jobs start. {@link io.delayjob.benchmarks.durable.DrainBenchmark} measures how fast due jobs are
 * worked off. {@link io.delayjob.benchmarks.durable.BacklogBenchmark} shows that a backlog of any size passes through
 * bounded memory. {@link io.delayjob.benchmarks.durable.PoisonBenchmark} shows that jobs that cannot run do not delay
 * others. {@link io.delayjob.benchmarks.durable.Comparison} runs the same work on other libraries.
 */
@NullMarked
package io.delayjob.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
