/** Whether delayjob is well, as the health endpoint shows it. */
@NullMarked
package io.delayjob.actuate.health;

import org.jspecify.annotations.NullMarked;
