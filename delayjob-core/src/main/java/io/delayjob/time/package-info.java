/**
 * Time, and the threads that work by it: {@link io.delayjob.time.EngineClock} is the only place that reads a clock, and
 * {@link io.delayjob.time.AgentRunner} the only one that decides when a background role works. Real threads and virtual
 * time differ in nothing else.
 */
@NullMarked
package io.delayjob.time;

import org.jspecify.annotations.NullMarked;
