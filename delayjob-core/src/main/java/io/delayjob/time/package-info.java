/**
 * The clock of the engine, and the runner of its background tasks. Only {@link io.delayjob.time.EngineClock} reads a
 * clock, and only {@link io.delayjob.time.AgentRunner} decides when a background task is called. For virtual time, it
 * is enough to replace these two types.
 */
@NullMarked
package io.delayjob.time;

import org.jspecify.annotations.NullMarked;
