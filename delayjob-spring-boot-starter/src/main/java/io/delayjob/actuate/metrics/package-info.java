/** Meters of delayjob in Micrometer, and an observation of each attempt. */
@NullMarked
package io.delayjob.actuate.metrics;

import org.jspecify.annotations.NullMarked;
