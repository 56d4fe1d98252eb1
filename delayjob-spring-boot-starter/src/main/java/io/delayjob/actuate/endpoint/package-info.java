/** The actuator endpoint {@code delayjobs}, with which operators see and change jobs. */
@NullMarked
package io.delayjob.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
