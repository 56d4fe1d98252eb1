/**
 * <em>When next?</em> Pure arithmetic: schedules, retry policies and what to do about missed occurrences. Nothing here
 * reads a clock or draws a random number of its own; every instant and every generator is an argument.
 */
@NullMarked
package io.delayjob.schedule;

import org.jspecify.annotations.NullMarked;
