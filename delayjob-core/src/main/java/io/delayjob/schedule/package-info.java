/**
 * <em>When is the next run?</em> Pure arithmetic: schedules, retry policies and the treatment of missed occurrences.
 * Nothing here reads a clock or draws random numbers itself; every instant and every generator is an argument.
 */
@NullMarked
package io.delayjob.schedule;

import org.jspecify.annotations.NullMarked;
