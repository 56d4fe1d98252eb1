/**
 * Time, and the threads that depend on it. Only {@link io.delayjob.time.EngineClock} reads a clock, and only {@link
 * io.delayjob.time.AgentRunner} decides when a background role works. This is the only difference between real threads
 * and virtual time.
 */
@NullMarked
package io.delayjob.time;

import org.jspecify.annotations.NullMarked;
