/** Traces of attempts, and the way from them back to the call that scheduled the job. */
@NullMarked
package io.delayjob.actuate.tracing;

import org.jspecify.annotations.NullMarked;
