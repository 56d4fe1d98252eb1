/** Micrometer's view of delayjob: meters, and an observation of each attempt. */
@NullMarked
package io.delayjob.actuate.metrics;

import org.jspecify.annotations.NullMarked;
