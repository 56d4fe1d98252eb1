/** The actuator endpoint {@code delayjobs}. Operators use this endpoint to see and change jobs. */
@NullMarked
package io.delayjob.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
