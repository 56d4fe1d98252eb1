/** The actuator endpoint {@code delayjobs}: what operators see of jobs, and do to them. */
@NullMarked
package io.delayjob.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
