/**
 * What keeps the tables in order: {@link io.delayjob.maintain.Rescuer} brings attempts back that were lost with their
 * instance, {@link io.delayjob.maintain.Retention} forgets old history.
 */
@NullMarked
package io.delayjob.maintain;

import org.jspecify.annotations.NullMarked;
