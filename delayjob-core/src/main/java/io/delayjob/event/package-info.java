/** The events that an engine reports to its listeners. A listener can never harm a job. */
@NullMarked
package io.delayjob.event;

import org.jspecify.annotations.NullMarked;
