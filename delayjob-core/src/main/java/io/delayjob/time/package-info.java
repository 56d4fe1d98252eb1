/**
 * The clock of the engine, and the runner of its background roles. Only {@link io.delayjob.time.EngineClock} reads a
 * clock, and only {@link io.delayjob.time.AgentRunner} decides when a background role is called. So virtual time needs
 * only other implementations of these two types.
 */
@NullMarked
package io.delayjob.time;

import org.jspecify.annotations.NullMarked;
