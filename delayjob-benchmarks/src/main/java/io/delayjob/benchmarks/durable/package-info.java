/**
 * Measurements of the whole way on a real PostgreSQL: {@link io.delayjob.benchmarks.durable.LatenessBenchmark},
 * {@link io.delayjob.benchmarks.durable.DrainBenchmark} and {@link io.delayjob.benchmarks.durable.BacklogBenchmark}. Each has a
 * {@code main} that prints what it measured and under which conditions.
 */
@NullMarked
package io.delayjob.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
