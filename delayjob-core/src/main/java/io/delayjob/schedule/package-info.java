/**
 * <em>When is the next run?</em> This package computes the times of schedules and retries, and decides about missed
 * occurrences. No class of this package reads a clock or creates random numbers; times and random generators are
 * arguments.
 */
@NullMarked
package io.delayjob.schedule;

import org.jspecify.annotations.NullMarked;
