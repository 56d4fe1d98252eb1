/** Observation: what happens, told to whoever listens. A listener can never hurt a job. */
@NullMarked
package io.delayjob.event;

import org.jspecify.annotations.NullMarked;
