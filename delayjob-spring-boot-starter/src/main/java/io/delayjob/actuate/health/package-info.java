/** The health of delayjob for the health endpoint. */
@NullMarked
package io.delayjob.actuate.health;

import org.jspecify.annotations.NullMarked;
