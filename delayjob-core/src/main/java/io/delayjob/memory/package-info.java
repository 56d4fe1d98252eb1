/**
 * A store that keeps jobs in memory, for tests and first steps: {@link io.delayjob.memory.MemoryJobStore}. This package
 * is the smallest complete implementation of the store SPI.
 */
@NullMarked
package io.delayjob.memory;

import org.jspecify.annotations.NullMarked;
