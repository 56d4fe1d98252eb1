/**
 * The façade and the wiring: {@link io.delayjob.DelayJobOperations} is what applications call,
 * {@link io.delayjob.DelayJobEngine} what runs their jobs.
 */
@NullMarked
package io.delayjob;

import org.jspecify.annotations.NullMarked;
