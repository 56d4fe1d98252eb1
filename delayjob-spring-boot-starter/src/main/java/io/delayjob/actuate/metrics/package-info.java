/** delayjob in Micrometer: meters, and an observation of each attempt. */
@NullMarked
package io.delayjob.actuate.metrics;

import org.jspecify.annotations.NullMarked;
