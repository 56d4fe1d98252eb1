/** Traces of attempts. Each trace links to the call that scheduled the job. */
@NullMarked
package io.delayjob.actuate.tracing;

import org.jspecify.annotations.NullMarked;
