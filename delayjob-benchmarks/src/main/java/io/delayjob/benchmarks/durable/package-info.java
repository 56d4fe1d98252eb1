/**
 * Measurements of the whole way of a job on a real database: how late jobs start ({@link
 * io.delayjob.benchmarks.durable.LatenessBenchmark}), how fast due ones are worked off ({@link
 * io.delayjob.benchmarks.durable.DrainBenchmark}), that a backlog of any size passes through bounded memory ({@link
 * io.delayjob.benchmarks.durable.BacklogBenchmark}), that jobs which break their handlers hold up no others ({@link
 * io.delayjob.benchmarks.durable.PoisonBenchmark}), and the same work beside other libraries ({@link
 * io.delayjob.benchmarks.durable.Comparison}).
 */
@NullMarked
package io.delayjob.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
