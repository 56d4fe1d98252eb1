/** Traces of attempts, with links to the calls that scheduled their jobs. */
@NullMarked
package io.delayjob.actuate.tracing;

import org.jspecify.annotations.NullMarked;
