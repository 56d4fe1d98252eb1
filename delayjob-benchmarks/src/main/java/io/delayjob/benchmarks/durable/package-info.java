/**
 * Measures the whole path of a job through a real database. {@link io.delayjob.benchmarks.durable.Comparison} gives the
 * same work to other libraries.
 */
@NullMarked
package io.delayjob.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
