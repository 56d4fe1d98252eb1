/**
 * <em>When is the next run?</em> This package computes the times of schedules and retries, and decides about missed
 * occurrences. Its classes read no clocks and create no random numbers. Callers pass times and random generators as
 * arguments.
 */
@NullMarked
package io.delayjob.schedule;

import org.jspecify.annotations.NullMarked;
